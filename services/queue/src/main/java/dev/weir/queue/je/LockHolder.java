package dev.weir.queue.je;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The line in a lock file that names the process that holds the lock. It is for people; no lock
 * depends on it. A killed process leaves its line behind, but the line is read only while the lock
 * is held, and every holder writes its own.
 */
final class LockHolder {
  private static final String PREFIX = "process ";

  private LockHolder() {}

  /** Writes this process into a lock file that was just locked. */
  static void write(FileChannel locked) throws IOException {
    String line =
        PREFIX
            + ProcessHandle.current().pid()
            + " on host "
            + host()
            + " since "
            + Instant.now().truncatedTo(ChronoUnit.SECONDS)
            + "\n";
    locked.truncate(0);
    locked.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)), 0);
  }

  /** The holder, or "another process" if the file does not name it. */
  static String read(Path directory, String file) {
    try {
      String line = Files.readString(directory.resolve(file)).trim();
      return line.startsWith(PREFIX) ? line : "another process";
    } catch (IOException e) {
      // On some systems a locked file cannot be read.
      return "another process";
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
