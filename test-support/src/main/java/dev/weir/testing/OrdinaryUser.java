package dev.weir.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts child JVMs for which the rights of files count. Where tests run as root, for whom no right
 * counts, a child runs as user {@value #NOBODY}; otherwise it runs as the user of the test. One
 * thread.
 */
public final class OrdinaryUser {
  private static final int NOBODY = 65534;
  private static final String LAUNCHER = "/usr/bin/setpriv";

  private final boolean isRoot;
  private final String classPath;

  private OrdinaryUser(boolean isRoot, String classPath) {
    this.isRoot = isRoot;
    this.classPath = classPath;
  }

  /**
   * Makes a user. For root it opens the directory to all users and copies the class path there.
   *
   * @param directory of the test, which belongs to the user of the test
   */
  public static OrdinaryUser in(Path directory) throws IOException {
    String classPath = System.getProperty("java.class.path");
    if (!Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid"))) {
      return new OrdinaryUser(false, classPath);
    }
    if (!Files.isExecutable(Path.of(LAUNCHER))) {
      throw new AssertionError(LAUNCHER + " of util-linux is missing: root needs it for this test");
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> copies = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      if (Files.exists(Path.of(entry))) {
        copies.add(copy(Path.of(entry), directory.resolve("class-path-" + copies.size() + ".jar")));
      }
    }
    return new OrdinaryUser(true, String.join(File.pathSeparator, copies));
  }

  private static String copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes its)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(directory).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes its) throws IOException {
            Path copy = file.equals(from) ? to : to.resolve(from.relativize(file).toString());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            return FileVisitResult.CONTINUE;
          }
        });
    return to.toString();
  }

  /** A child that runs a main class as this user. */
  public ChildJvm.Builder child(Class<?> main) {
    ChildJvm.Builder child = ChildJvm.of(main).classPath(classPath);
    return isRoot
        ? child.launcher(LAUNCHER, "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--")
        : child;
  }

  /** Gives a directory and all in it to this user. */
  public void own(Path path) throws IOException {
    if (isRoot) {
      try (Stream<Path> all = Files.walk(path)) {
        for (Path each : all.toList()) {
          Files.setAttribute(each, "unix:uid", NOBODY);
        }
      }
    }
  }

  /** Name of the user, as a JVM knows it. */
  public String name() {
    return isRoot ? "nobody" : System.getProperty("user.name");
  }
}
