package dev.weir.bench.cluster.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.Program;
import dev.weir.bench.cluster.injection.Loopback;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.processor.ProcessorFactory;
import dev.weir.processor.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("slow")
class ProcessorProgramTest {
  private static final int COUNT = 2_000;

  @TempDir Path directory;

  private Program run(String command) {
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    args.addAll(List.of("-k", directory.toString(), "-c", Integer.toString(COUNT), "-t", "0"));
    return Program.run(args.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "es-processor",
        "sr-processor",
        "es-processor -l sbe.direct -r -1",
        "sr-processor -l sbe.indirect -r -1 --window 16",
        "es-processor -l protobuf.random -E",
        "sr-processor -l sbe.direct -E -r 50000",
        "es-processor -e -f --cpu-config maxcpu",
        "sr-processor -e -l sbe.direct -r -1 --persisterDetached --busDetachedSend -n 3"
      })
  void printsAsTheOriginalDoesAndKeepsEveryLatency(String command) {
    Program program = run(command);

    assertThat(program.err().lines()).allMatch(line -> line.startsWith("warning: "));
    assertThat(program.out())
        .containsPattern(
            "Wire-to-Wire Latency Stats:\\R  Count: 2000\\R  50th percentile: [0-9.]+ µs\\R"
                + "  99th percentile: [0-9.]+ µs\\R  99.9th percentile: [0-9.]+ µs\\R"
                + "  Mean: [0-9.]+ µs\\RThroughput: [0-9,]+ messages/second")
        .contains("verdict: OK", "a group of one member");
    assertThat(program.exitCode()).isZero();
    String name = command.split(" ")[0];
    assertThat(directory.resolve(name + ".latencies")).hasSize(COUNT * Long.BYTES);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theBackupIsFoundAtTheAddressesThatAreGiven() {
    Program program =
        run("es-processor -a --with-backup --blocking -r -1 -I 127.0.0.2 -U 127.0.0.3");

    assertThat(program.exitCode()).as(program.out() + program.err()).isZero();
    assertThat(program.out()).contains("the backup in sync", "verdict: OK");
  }

  @Test
  void writesNoLatenciesIfAsked() {
    assertThat(run("es-processor -a").exitCode()).isZero();

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void printsIntervalStats() {
    assertThat(run("es-processor -a -b -r 1500").out()).contains("interval 1: ", "rate: ");
  }

  @Test
  void putsPercentilesIntoAWorkbookThatIsCreated() throws IOException {
    Path file = directory.resolve("results.xlsx");

    assertThat(run("es-processor -a -O " + file + " -C 2-3").exitCode()).isZero();

    assertThat(numbers(file, 1, 2, 3)).hasSize(3).allMatch(us -> us > 0).isSorted();
  }

  @Test
  void putsTheThroughputIntoAWorkbookBesideWhatIsThere() throws IOException {
    Path file = directory.resolve("results.xlsx");
    run("es-processor -a -O " + file + " -C 2-3");
    List<Double> before = numbers(file, 1, 2, 3);

    Program program = run("sr-processor -a -r -1 -T -O " + file + " -C 7-1");

    assertThat(program.out()).contains("Throughput: ").doesNotContain("Latency Stats");
    assertThat(numbers(file, 6, 0, 1).get(0)).isGreaterThan(100);
    assertThat(numbers(file, 1, 2, 3)).isEqualTo(before);
  }

  private static List<Double> numbers(Path file, int row, int column, int count)
      throws IOException {
    try (InputStream in = Files.newInputStream(file);
        XSSFWorkbook workbook = new XSSFWorkbook(in)) {
      Row cells = workbook.getSheetAt(0).getRow(row);
      List<Double> numbers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        numbers.add(cells.getCell(column + i).getNumericCellValue());
      }
      return numbers;
    }
  }

  @Test
  void findsOutBeforeTheRunThatAFileIsNoWorkbook() throws IOException {
    Path file = Files.writeString(directory.resolve("results.xlsx"), "no workbook");

    Program program = run("es-processor -O " + file + " -C 2-3");

    assertThat(program.exitCode()).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(program.err()).contains(file + " is no Excel workbook (.xlsx)");
    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.out()).isEmpty();
    assertThat(file).hasContent("no workbook");
  }

  @Test
  void findsOutBeforeTheRunThatADirectoryIsMissing() {
    Path file = directory.resolve("missing").resolve("results.xlsx");

    Program program = run("es-processor -O " + file + " -C 2-3");

    assertThat(program.exitCode()).isEqualTo(ExitCodes.COULD_NOT_RUN);
    assertThat(program.err()).contains("there is no directory " + file.getParent());
  }

  /** Answers some messages with what was sent. */
  private static final class Wrong implements ProcessorUnderTest {
    private final Loopback loopback = new Loopback(Kind.ES, Encoding.SBE_DIRECT);

    @Override
    public boolean offer(long sequence, ByteBuffer body, int offset, int length) {
      return loopback.offer(sequence, body, offset, length);
    }

    @Override
    public int poll(Replies replies) {
      return loopback.poll(
          (sequence, body, offset, length) ->
              replies.onReply(sequence, body, offset, sequence % 100 == 0 ? 0 : length));
    }

    @Override
    public void close() {
      loopback.close();
    }
  }

  @Test
  void endsWithOneWhenAReplyIsWrong() {
    ProcessorFactory factory = setup -> new Wrong();
    StringWriter out = new StringWriter();

    int exitCode =
        new CommandLine(new ProcessorProgram(Kind.ES, factory))
            .setOut(new PrintWriter(out))
            .execute("-a", "-c", "1000", "-t", "0", "-l", "sbe.direct", "-k", directory.toString());

    assertThat(out.toString()).contains("verdict: FAIL: corrupt 10");
    assertThat(exitCode).isEqualTo(ExitCodes.VERDICT_FAILED);
  }
}
