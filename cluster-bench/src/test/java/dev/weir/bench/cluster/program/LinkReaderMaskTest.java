package dev.weir.bench.cluster.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.child.JvmDefaults;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.cluster.processor.ProcessorStarter;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ProcessThreads;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.processor.Encoding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Where the thread that reads the replication link may run, as the system says it. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("try") // A group is open for the threads it has.
class LinkReaderMaskTest {
  private static final Path STATUS = Path.of("/proc/thread-self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final long PATIENCE_S = 60;

  @TempDir Path directory;

  @BeforeAll
  static void quietly() {
    JvmDefaults.apply();
  }

  @Test
  void aReaderThatSleepsIsBoundToItsMask() throws Exception {
    assertThat(allowedCpus("-v", "--blocking", "-V", "[0]")).isEqualTo("0");
  }

  @Test
  void withoutAMaskItRunsAnywhere() throws Exception {
    assertThat(allowedCpus("-v", "--blocking")).isEqualTo(allowedHere());
  }

  private String allowedCpus(String... args) throws Exception {
    ProcessThreads threads = threads(args);
    CompletableFuture<String> allowed = new CompletableFuture<>();
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("a", "b"))
            .setWaiting(threads.waiting(Task.MUX))
            .setLinkWaiting(threads.linkWaiting());
    try (ClusterNode node = ClusterNode.start(nodeOptions());
        ProcessorGroup group = start(node.group(options), threads, allowed)) {
      return allowed.get(PATIENCE_S, TimeUnit.SECONDS);
    }
  }

  private static ProcessorGroup start(
      GroupBuilder builder, ProcessThreads threads, CompletableFuture<String> allowed) {
    return Kind.ES
        .on(builder, Encoding.SBE_DIRECT)
        .replies((client, sequence, buffer, offset, length) -> {})
        .onThread(
            duty -> {
              threads.bind(duty);
              if (duty == GroupDuty.LINK_READER) {
                allowed.complete(allowedHere());
              }
            })
        .start();
  }

  private static ProcessThreads threads(String... args) {
    ProcessorProgram program = new ProcessorProgram(Kind.ES, ProcessorStarter::open);
    CommandLine commandLine = new CommandLine(program);
    commandLine.parseArgs(args);
    return program.options.setup(Kind.ES, new Usage(commandLine)).threads().primary();
  }

  private NodeOptions nodeOptions() throws IOException {
    int port = Ports.free(1)[0];
    return new NodeOptions()
        .setMemberName("a")
        .setPort(port)
        .setJoin(List.of("127.0.0.1:" + port))
        .setDirectory(directory);
  }

  private static String allowedHere() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> line.substring(ALLOWED.length()).trim())
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
