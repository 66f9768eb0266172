package dev.weir.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.SortedMap;

/**
 * BENCHMARK.txt: one section for each bench module, which replaces its own and keeps the others. A
 * reader never sees half a file; two processes that publish at the same moment may lose one of the
 * two sections.
 */
public final class BenchmarkReport {
  /** The name of the report in the root of the project. */
  public static final String FILE_NAME = "BENCHMARK.txt";

  private final Path file;

  /** The report in this file, which need not exist yet. */
  public BenchmarkReport(Path file) {
    this.file = file.toAbsolutePath();
  }

  /** The report of the checkout a path lies in: beside {@code .git} or where there is one yet. */
  public static Optional<Path> locate(Path insideCheckout) {
    Path dir = insideCheckout.toAbsolutePath().normalize();
    for (; dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve(FILE_NAME)) || Files.exists(dir.resolve(".git"))) {
        return Optional.of(dir.resolve(FILE_NAME));
      }
    }
    return Optional.empty();
  }

  /**
   * Puts the text in place of the section of that name. The same text again changes nothing.
   *
   * @param section a name without blanks
   * @param text any lines but marker lines
   * @throws IOException if the file cannot be read or written, or is damaged: the message says
   *     where, and the file stays as it is
   */
  public void publish(String section, String text) throws IOException {
    ReportSections.checkName(section);
    String before = Files.exists(file) ? Files.readString(file) : "";
    SortedMap<String, String> sections = ReportSections.parse(file, before);
    sections.put(section, ReportSections.checked(text));
    String after = ReportSections.format(sections);
    if (!after.equals(before)) {
      replace(after);
    }
  }

  private void replace(String content) throws IOException {
    long pid = ProcessHandle.current().pid();
    Path temporary = file.resolveSibling(file.getFileName() + "." + pid + ".tmp");
    try {
      Files.writeString(temporary, content);
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
