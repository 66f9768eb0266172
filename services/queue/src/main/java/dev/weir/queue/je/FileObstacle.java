package dev.weir.queue.je;

import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A failure of the system that says nothing about what is in the files: a missing permission, a
 * file system that is read-only or full, too many open files, a directory that has the name of a
 * file, a file that has lost its name. It is over when somebody has removed its cause, so nothing
 * is repaired, moved or deleted because of it.
 *
 * @param isPermission true if a right is missing
 * @param text one line that names the file, what the system said, and of a missing right the mode,
 *     the owner and the user
 */
public record FileObstacle(boolean isPermission, String text) {
  /** What the reason of a file begins with that {@link LogFiles#requireEnd} has found. */
  static final String MOVED = "JE could not read this file and renamed it, but it may be the end";

  private static final String IS_DIRECTORY = "Is a directory";
  private static final Pattern PATH_AND_REASON = Pattern.compile("(.*) \\((.*)\\)");
  private static final Pattern KNOWN =
      Pattern.compile(
          "Permission denied|Operation not permitted|Read-only file system|Too many open files"
              + "|No space left on device|Disk quota exceeded|"
              + IS_DIRECTORY
              + "|"
              + MOVED);

  /** Finds the obstacle that a failure comes from; null if there is none. */
  public static FileObstacle of(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      FileObstacle found = e instanceof IOException io ? ofOne(io) : null;
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** What to tell when a store cannot be opened, in one line. */
  static QueueException cannotOpen(Path directory, Exception e, Reason reason) {
    FileObstacle obstacle = of(e);
    String what = obstacle == null ? JeFiles.firstLine(e) : obstacle.text();
    boolean isPermission = obstacle != null && obstacle.isPermission();
    return new QueueException(
        isPermission ? Reason.DIRECTORY_UNUSABLE : reason,
        "cannot open the store in " + directory + ": " + what,
        e);
  }

  /** Whether a failure is that of a full disk. */
  static boolean isFull(Throwable failure) {
    FileObstacle obstacle = of(failure);
    return obstacle != null && isFull(obstacle.text);
  }

  private static boolean isFull(String reason) {
    return reason.contains("No space left") || reason.contains("quota exceeded");
  }

  private static FileObstacle ofOne(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return at(denied.getFile(), "Permission denied");
    }
    if (e instanceof NoSuchFileException) {
      return null;
    }
    if (e instanceof FileSystemException at && at.getReason() != null) {
      return KNOWN.matcher(at.getReason()).find() ? at(at.getFile(), at.getReason()) : null;
    }
    String message = String.valueOf(e.getMessage());
    Matcher named = PATH_AND_REASON.matcher(message);
    boolean isNamed = e instanceof FileNotFoundException && named.matches();
    if (!KNOWN.matcher(message).find() && !(isNamed && isUnusable(Path.of(named.group(1))))) {
      return null;
    }
    return isNamed ? at(named.group(1), named.group(2)) : new FileObstacle(false, message);
  }

  /** The system may say so in another language. */
  private static boolean isUnusable(Path file) {
    return Files.isDirectory(file)
        || Files.exists(file) && !(Files.isReadable(file) && Files.isWritable(file));
  }

  /** What a directory in the place of a file is refused with. */
  static IOException isDirectory(Path file) {
    return new FileSystemException(file.toString(), null, IS_DIRECTORY);
  }

  private static FileObstacle at(String file, String reason) {
    boolean isDirectory = file != null && Files.isDirectory(Path.of(file));
    boolean isPermission =
        !isDirectory
            && !reason.equals(IS_DIRECTORY)
            && !reason.startsWith("Too many")
            && !reason.startsWith(MOVED)
            && !isFull(reason);
    String rights = isPermission && file != null ? rights(Path.of(file).toAbsolutePath()) : "";
    return new FileObstacle(isPermission, file + ": " + reason + rights);
  }

  /** The rights on the file, or on the first directory above it that can be seen. */
  private static String rights(Path file) {
    for (Path path = file; path != null; path = path.getParent()) {
      try {
        PosixFileAttributes its = Files.readAttributes(path, PosixFileAttributes.class);
        return " ("
            + (path.equals(file) ? "" : path + " has ")
            + "mode "
            + PosixFilePermissions.toString(its.permissions())
            + ", owner "
            + its.owner().getName()
            + "; this process is user "
            + System.getProperty("user.name")
            + ")";
      } catch (IOException | UnsupportedOperationException e) {
        // Not there, or not to be seen.
      }
    }
    return "";
  }
}
