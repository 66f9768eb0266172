package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client in a process of its own, and a group with the default options that writes its log. */
@Tag("slow")
@Timeout(900)
class ClientStormTest {
  @TempDir Path directory;
  private final Vertx vertx = Vertx.vertx();
  private ProcessorGroup group;
  private int port;

  @BeforeEach
  void start() throws Exception {
    GroupOptions options =
        new GroupOptions().setMembers(List.of("m0")).setAckLevel(AckLevel.PERSISTED);
    ClientEndpoint endpoint = new ClientEndpoint(vertx);
    group =
        GroupBuilder.alone(options, directory)
            .processor((message, state, out) -> {})
            .replies(endpoint.replies(options.getName()))
            .start();
    Await.until("it accepts", () -> group.stats().accepting());
    endpoint.serve(group);
    port =
        endpoint
            .listen("127.0.0.1", 0)
            .toCompletionStage()
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    group.close();
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 1000, 8192, 65_536})
  void nothingIsSentAgainWithoutAFaultAtAnyWindow(int window) throws IOException {
    int requests = window == 1 ? 10_000 : 200_000;
    try (ChildJvm child =
        ChildJvm.of(ClientStormChild.class)
            .flags("-Xmx256m")
            .start("127.0.0.1:" + port, Integer.toString(window), Integer.toString(requests))) {
      Await.until(
          () -> "all are answered: " + group.stats(),
          600,
          () -> child.hasSaid(ClientStormChild.DONE) || !child.isAlive());
      child.await(ClientStormChild.DONE);
      String done =
          child.lines().stream()
              .filter(line -> line.startsWith(ClientStormChild.DONE))
              .findFirst()
              .orElseThrow();
      System.out.println("window " + window + ": " + done);
      assertThat(done).as("sent again and failed").startsWith(ClientStormChild.DONE + "0 0 ");
    }
    assertThat(group.stats().accepted()).isEqualTo(requests);
  }
}
