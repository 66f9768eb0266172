package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.tool.QueueTool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The tool as a user runs it, and what it said. */
public record ToolRun(int exitCode, String out, String err) {

  public static ToolRun of(Object... args) {
    return withInput("", args);
  }

  public static ToolRun withInput(String input, Object... args) {
    return withInput(input.getBytes(StandardCharsets.UTF_8), args);
  }

  public static ToolRun withInput(byte[] input, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        QueueTool.run(
            new ByteArrayInputStream(input),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Arrays.stream(args).map(String::valueOf).toArray(String[]::new));
    return new ToolRun(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  public ToolRun ok() {
    assertThat(exitCode).as(err).isZero();
    return this;
  }

  /** It failed with this code and said one line, and nothing else. */
  public String refused(int code) {
    assertThat(exitCode).as(out + err).isEqualTo(code);
    assertThat(out).isEmpty();
    assertThat(err).startsWith("weir-queue: ").hasLineCount(1);
    return err.strip();
  }

  public List<String> lines() {
    return out.lines().toList();
  }
}
