package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.faults.FaultLayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A {@link PowerLossChild} in a process of its own, under a fault layer. */
final class PowerLossProcess implements AutoCloseable {
  private final Process process;
  private final Path output;
  private final Path marks;

  private PowerLossProcess(Process process, Path output, Path marks) {
    this.process = process;
    this.output = output;
    this.marks = marks;
  }

  /**
   * Starts it.
   *
   * @param messages it ends after so many; 0 for a process that goes on until it is killed
   */
  static PowerLossProcess start(FaultLayer layer, Path work, Path data, long seed, int messages)
      throws IOException {
    Path output = work.resolve("child.out");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PowerLossChild.class.getName(),
                data.toString(),
                layer.marks().toString(),
                Long.toString(seed),
                Integer.toString(messages))
            .redirectOutput(output.toFile())
            .redirectErrorStream(true);
    layer.addTo(builder.environment());
    return new PowerLossProcess(builder.start(), output, layer.marks());
  }

  /** Waits for its end, which must be a success. */
  void awaitEnd() throws IOException {
    Await.until("the child is done", () -> !process.isAlive());
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
  }

  /** About how many messages it has accepted: by the bytes of its marks. */
  long accepted() {
    assertThat(process.isAlive()).as("the child lives").isTrue();
    return marks.toFile().length() / 6;
  }

  void kill() {
    process.destroyForcibly();
    Await.until("the child is gone", () -> !process.isAlive());
  }

  @Override
  public void close() {
    kill();
  }
}
