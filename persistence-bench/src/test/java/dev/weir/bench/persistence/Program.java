package dev.weir.bench.persistence;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * How one of the programs ended.
 *
 * @param out what it printed
 * @param err what it complained of
 */
public record Program(int exitCode, String out, String err) {

  /** Runs the command line, blocking the caller. */
  public static Program run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        new PersistenceBench()
            .execute(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    return new Program(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
