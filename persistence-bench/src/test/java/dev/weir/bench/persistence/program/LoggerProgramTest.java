package dev.weir.bench.persistence.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.persistence.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LoggerProgramTest {
  private static final int COUNT = 1_000;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "message-logger",
        "message-logger -f",
        "message-logger -y -n 100",
        "message-logger -n 7 -m rwd",
        "message-logger -d -q 10",
        "packet-logger",
        "packet-logger -v --messagesPerPacket 3",
        "packet-logger --tail true",
        "packet-logger --tail -d -f -r 20000",
        "store-logger",
        "store-logger -n 10 --lazyDeserialize false",
        "store-logger --objects 7"
      })
  void readsBackAllItWroteAndLeavesTheLatenciesOnly(String command) throws IOException {
    Program program = run(command);

    assertThat(program.err()).isEmpty();
    assertThat(program.out()).contains("write: ", "p99.9", "verdict: OK");
    assertThat(program.exitCode()).isZero();
    String name = command.split(" ")[0];
    assertThat(left()).containsExactly(name + ".latencies");
    assertThat(directory.resolve(name + ".latencies")).hasSize(COUNT * Long.BYTES);
  }

  @Test
  void leavesNothingWithoutLatencyWrites() throws IOException {
    assertThat(run("store-logger --noLatencyWrites").exitCode()).isZero();

    assertThat(left()).isEmpty();
  }

  @Test
  void keepsTheLogWhenAsked() throws IOException {
    Program program = run("message-logger --keep --noLatencyWrites");

    assertThat(program.out()).contains("log: ");
    assertThat(left()).singleElement().asString().startsWith("message-logger-");
  }

  @Test
  void printsIntervalStats() {
    Program program = run("message-logger -r 800 --printIntervalStats");

    assertThat(program.out()).contains("interval 1: ", "from its intended time");
  }

  @Test
  void refusesALocationThatIsAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");

    Program program = Program.run("message-logger", "-k", file.toString());

    assertThat(program.exitCode()).isEqualTo(2);
    assertThat(program.err().lines()).hasSize(1);
  }

  @Test
  void endsWithOneWhenAMessageIsMissing() {
    MessageLogger program = new MessageLogger();
    program.mechanism = new LosingMechanism(COUNT / 2);
    StringWriter out = new StringWriter();

    int exitCode =
        new CommandLine(program)
            .setOut(new PrintWriter(out))
            .execute("-k", directory.toString(), "-c", Integer.toString(COUNT), "-t", "0");

    assertThat(out.toString()).contains("verdict: FAIL: read back: lost 1");
    assertThat(exitCode).isEqualTo(ExitCodes.VERDICT_FAILED);
  }

  private Program run(String command) {
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    args.addAll(List.of("--logLocation", directory.toString()));
    args.addAll(List.of("-c", Integer.toString(COUNT), "-t", "0"));
    return Program.run(args.toArray(String[]::new));
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
