package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.SumProcessor;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import dev.weir.testing.TestCertificates;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a member with TLS and a secret. */
@Tag("slow")
@Timeout(900)
class SecureClientTest {
  private static final int REQUESTS = 2_000;

  @TempDir static Path directory;
  private static TestCertificates.Pem pem;
  private static TestCertificates.Pem stranger;
  private static Path secret;

  private final Vertx vertx = Vertx.vertx();
  private final LoggedLines log = LoggedLines.of("dev.weir.cluster.client", Level.ALL);
  private final Queue<String> lines = log.lines();
  private ProcessorGroup group;
  private int port;

  @BeforeAll
  static void make() throws Exception {
    pem = TestCertificates.make(directory, "member");
    stranger = TestCertificates.make(directory, "stranger");
    secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
  }

  @BeforeEach
  void start() {
    QuietLog.set();
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("m0"))
            .setPersistence(false)
            .setAckLevel(AckLevel.RECEIVED);
    ClientEndpoint endpoint =
        new ClientEndpoint(
            vertx,
            new NodeOptions()
                .setMemberName("m0")
                .setTlsCertificates(pem.certificate())
                .setTlsKey(pem.key())
                .setTlsTrusted(pem.certificate())
                .setSecretFile(secret));
    group =
        GroupBuilder.alone(options, null)
            .processor(new SumProcessor())
            .replies(endpoint.replies(options.getName()))
            .start();
    Await.until("it accepts", () -> group.stats().accepting());
    endpoint.serve(group);
    port = Futures.result("it listens", endpoint.listen("127.0.0.1", 0));
  }

  @AfterEach
  void close() {
    group.close();
    Futures.result("closed", vertx.close());
    log.close();
  }

  private ProcessorClientOptions options() {
    return new ProcessorClientOptions()
        .setMembers(List.of("127.0.0.1:" + port))
        .setConnectTimeoutMs(20_000)
        .setSilenceMs(20_000);
  }

  @Test
  void whoTrustsTheMemberAndKnowsTheSecretIsServed() {
    ProcessorClient client =
        ProcessorClient.create(
            vertx, options().setTlsTrusted(pem.certificate()).setSecretFile(secret));
    Future<Buffer> last = null;
    for (long number = 1; number <= REQUESTS; number++) {
      last = client.send(Buffer.buffer().appendLong(number));
    }
    assertThat(Futures.result("the last reply", last).getLong(0))
        .isEqualTo(REQUESTS * (REQUESTS + 1L) / 2);
  }

  private void isRefused(ProcessorClientOptions options, String said) {
    ProcessorClient client = ProcessorClient.create(vertx, options);
    Future<Buffer> reply = client.send(Buffer.buffer().appendLong(1));
    Await.until(
        () -> "a line with '" + said + "': " + lines,
        () -> lines.stream().anyMatch(line -> line.contains(said)));
    assertThat(reply.isComplete()).isFalse();
    assertThat(group.stats().accepted()).isZero();
  }

  @Test
  void withoutTheSecretAClientIsRefused() {
    isRefused(
        options().setTlsTrusted(pem.certificate()),
        "there clients have to know a secret, here secretFile is not set");
  }

  @Test
  void withAnotherSecretAClientIsRefused() throws Exception {
    Path other = Files.writeString(directory.resolve("other"), "another-secret-here");
    isRefused(
        options().setTlsTrusted(pem.certificate()).setSecretFile(other),
        "does not know the secret of secretFile");
  }

  @Test
  void withoutTlsAClientIsRefused() {
    isRefused(options().setSecretFile(secret).setConnectTimeoutMs(500), "refused a client");
  }

  @Test
  void aClientThatDoesNotTrustTheMemberSaysSo() {
    isRefused(
        options().setTlsTrusted(stranger.certificate()).setSecretFile(secret), "cannot connect");
  }
}
