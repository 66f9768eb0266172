package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.RequestTimeoutException;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A group of two members whose links and client ports have TLS and a secret. */
@Tag("slow")
@Timeout(300)
class SecureGroupTest {
  private static final List<String> MEMBERS = List.of("a", "b");

  private final List<Integer> ports = FreePorts.find(4);
  @TempDir private Path directory;

  private TestMember member(NodeOptions secure, int number) {
    String name = MEMBERS.get(number);
    return new TestMember(
        secure,
        name,
        ports.get(number),
        ports.get(2 + number),
        ports.subList(0, 2),
        directory.resolve(name));
  }

  private static Groups groups(TestMember member) {
    return Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
  }

  private static GroupService serve(Groups groups) {
    return Futures.result(
        "the counter",
        groups.serveGroup(
            "counter", new GroupOptions().setMembers(MEMBERS).setMinInSync(2), Counter::new));
  }

  private static long count(TestMember member) {
    return Futures.result(
            "a reply",
            member
                .vertx
                .eventBus()
                .<JsonObject>request(
                    "counter", new JsonObject(), new DeliveryOptions().addHeader(Groups.KEY, "k")))
        .body()
        .getLong("count");
  }

  private Future<Buffer> ask(TestMember member, ProcessorClientOptions options, long timeoutMs) {
    ProcessorClient client =
        ProcessorClient.create(
            member.vertx,
            options
                .setGroup("counter")
                .setMembers(List.of("127.0.0.1:" + ports.get(2), "127.0.0.1:" + ports.get(3))));
    return client.send(Buffer.buffer("no request"), timeoutMs).eventually(client::close);
  }

  private void assertUnheard(TestMember member, ProcessorClientOptions options) {
    assertThat(Futures.failure("no reply", ask(member, options, 1_000)))
        .isInstanceOf(RequestTimeoutException.class);
  }

  /** Vert.x 5.1 is to remove the class that makes the certificate. */
  @Test
  @SuppressWarnings("removal")
  void membersReachThePrimaryByTlsAndTheSecretAndAStrangerDoesNot() throws Exception {
    SelfSignedCertificate files = SelfSignedCertificate.create("member");
    Path certificate = Path.of(files.certificatePath());
    Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
    NodeOptions secure =
        new NodeOptions()
            .setTlsCertificates(certificate)
            .setTlsKey(Path.of(files.privateKeyPath()))
            .setTlsTrusted(certificate)
            .setSecretFile(secret);
    try (TestMember a = member(secure, 0);
        TestMember b = member(secure, 1)) {
      Groups ofA = groups(a);
      Groups ofB = groups(b);
      GroupService counter = serve(ofA);
      GroupService other = serve(ofB);
      Await.until(
          "it accepts",
          () -> counter.group().stats().accepting() || other.group().stats().accepting());
      // The bus takes the members in turn, so one of them asks the other.
      for (int i = 1; i <= 4; i++) {
        assertThat(count(i % 2 == 0 ? a : b)).isEqualTo(i);
      }
      assertUnheard(a, new ProcessorClientOptions());
      assertUnheard(a, new ProcessorClientOptions().setTlsTrusted(certificate));
      ProcessorClientOptions known =
          new ProcessorClientOptions().setTlsTrusted(certificate).setSecretFile(secret);
      assertThat(Futures.result("a refusal", ask(a, known, 20_000)).length()).isPositive();
      Futures.result("closed", ofB.close());
      Futures.result("closed", ofA.close());
    } finally {
      files.delete();
    }
  }
}
