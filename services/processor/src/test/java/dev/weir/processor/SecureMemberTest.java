package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.RequestTimeoutException;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members and a driver, each a process, with TLS and a secret between them. */
@Tag("slow")
@Timeout(300)
class SecureMemberTest {
  @TempDir private Path directory;

  /** Vert.x 5.1 is to remove the class that makes the certificate. */
  @Test
  @SuppressWarnings("removal")
  void carsGoByTlsToMembersThatKnowTheSecretAndAStrangerIsNotHeard() throws Exception {
    SelfSignedCertificate files = SelfSignedCertificate.create("member");
    String certificate = files.certificatePath();
    Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
    String[] client = {"--tls-trusted=" + certificate, "--secret-file=" + secret};
    String[] member = {
      client[0],
      client[1],
      "--tls-certificates=" + certificate,
      "--tls-key=" + files.privateKeyPath(),
      "--replication=tcp",
      "--min-in-sync=2"
    };
    TwoMembers members = new TwoMembers(directory);
    try (ChildJvm a = members.startPatient(0, member);
        ChildJvm b = members.startPatient(1, member)) {
      a.await("a: answers HTTP");
      b.await("b: answers HTTP");
      assertThat(members.post(0, "7-1", 1)).isEqualTo("{\"serialNumber\":1,\"odometer\":1}");
      assertThat(members.post(1, "7-2", 2)).isEqualTo("{\"serialNumber\":2,\"odometer\":2}");
      try (ChildJvm driver =
          MemberProcess.start(
              "drive", members.at(), "--rate=100", "--count=20", client[0], client[1])) {
        assertThat(driver.exitCode()).as("said %s", driver.lines()).isZero();
      }
      assertUnheard(new ProcessorClientOptions(), members);
      assertUnheard(new ProcessorClientOptions().setTlsTrusted(Path.of(certificate)), members);
    } finally {
      files.delete();
    }
  }

  private static void assertUnheard(ProcessorClientOptions options, TwoMembers members) {
    Vertx vertx = Vertx.vertx();
    List<String> addresses = List.of(members.at().replace("--at=", "").split(","));
    ProcessorClient stranger = ProcessorClient.create(vertx, options.setMembers(addresses));
    assertThat(Futures.failure("no reply", stranger.send(Buffer.buffer("no car"), 1_000)))
        .isInstanceOf(RequestTimeoutException.class);
    Futures.result("closed", vertx.close());
  }

  @Test
  void aSecretThatCannotBeReadIsOneLine() throws Exception {
    Path none = directory.resolve("none");
    List<Integer> ports = FreePorts.find(2);
    try (ChildJvm member =
        MemberProcess.start(
            "run",
            "--name=a",
            "--members=a",
            "--port=" + ports.get(0),
            "--client-port=" + ports.get(1),
            "--data=" + directory.resolve("data"),
            "--secret-file=" + none)) {
      assertThat(member.exitCode()).as("said %s", member.lines()).isEqualTo(2);
      assertThat(member.lines()).singleElement().asString().contains("secretFile", none.toString());
    }
  }
}
