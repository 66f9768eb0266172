package dev.weir.launcher;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes an archive of the classes of a program, with which the JVM starts it in about half the
 * time: runs the program once until it is ready, on free ports of loopback and in a directory of
 * its own. Blocks.
 */
final class ClassArchive {
  /** The flag of the program that asks for an archive. */
  static final String FLAG = "--archive";

  private static final String READY = ": ready at ";
  private static final long STOP_S = 60;
  private static final int REQUEST_MS = 5_000;

  private ClassArchive() {}

  /**
   * Makes it.
   *
   * @param file the archive; replaced
   * @param args of this program; those of its run are the same, but for what would touch another
   * @return the command that starts the program with the archive
   * @throws IOException if the program does not get ready, or no archive is written
   */
  static String make(String file, String... args) throws IOException {
    ProcessHandle.Info self = ProcessHandle.current().info();
    String[] all = self.arguments().orElseThrow(() -> new IOException("no command line is known"));
    List<String> jvm = Arrays.asList(all).subList(0, all.length - args.length);
    Path archive = Path.of(file);
    Path directory = Files.createTempDirectory("weir-archive");
    boolean written = false;
    try {
      List<String> command = new ArrayList<>();
      command.add(self.command().orElse("java"));
      command.addAll(List.of("-XX:ArchiveClassesAtExit=" + file, "-Xlog:cds*=off"));
      command.addAll(jvm);
      command.addAll(apart(directory, args));
      Files.deleteIfExists(archive);
      run(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
      written = Files.exists(archive);
      if (!written) {
        throw new IOException("the JVM wrote no archive " + file);
      }
      return "java -XX:SharedArchiveFile=" + file + " " + String.join(" ", jvm);
    } finally {
      delete(directory);
      if (!written) {
        // The JVM writes one of a program that could not start, too.
        Files.deleteIfExists(archive);
      }
    }
  }

  /** A later one of two settings wins. */
  private static List<String> apart(Path directory, String... args) {
    List<String> apart = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals(FLAG)) {
        i++;
      } else if (!args[i].startsWith(FLAG + "=")) {
        apart.add(args[i]);
      }
    }
    for (String setting :
        List.of(
            "http.host=127.0.0.1",
            "http.port=0",
            "http.managementPort=0",
            "instances=1",
            "cluster.enabled=false",
            "logFormat=TEXT",
            "store.directory=" + directory.resolve("store"))) {
      apart.add("--set=" + setting);
    }
    return apart;
  }

  private static void run(Process program) throws IOException {
    try (BufferedReader output = program.inputReader()) {
      boolean ready = false;
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        int at = line.indexOf(READY);
        if (at >= 0 && !ready) {
          ready = true;
          request(line.substring(at + READY.length()));
          // In order, by SIGTERM: the JVM writes the archive at its end. The output stays open.
          program.toHandle().destroy();
        }
      }
      if (!program.waitFor(STOP_S, TimeUnit.SECONDS) || !ready) {
        throw new IOException("the program did not get ready, so there is no archive");
      }
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    } finally {
      program.destroyForcibly();
    }
  }

  /** Has the classes loaded that an answer takes; what the answer is does not matter. */
  private static void request(String url) {
    try {
      URLConnection connection = URI.create(url + "openapi.json").toURL().openConnection();
      connection.setConnectTimeout(REQUEST_MS);
      connection.setReadTimeout(REQUEST_MS);
      connection.getInputStream().readAllBytes();
    } catch (IOException e) {
      // Such as one that wants TLS: the archive has a few classes less.
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}
