package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.TransportContractTest;
import dev.weir.cluster.transport.TransportNode;
import dev.weir.testing.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** What every transport promises, over TLS and with a secret. */
@Tag("slow")
public class TlsTransportTest extends TransportContractTest {
  @TempDir static Path directory;
  private static TestCertificates.Pem pem;
  private static Path secret;

  private final Map<String, Peer> addresses = new ConcurrentHashMap<>();

  @BeforeAll
  static void make() throws Exception {
    pem = TestCertificates.make(directory, "members");
    secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef\n");
  }

  @Override
  public final TransportNode openNode(String name) {
    return new TcpNode(
        new NodeOptions()
            .setMemberName(name)
            .setTlsCertificates(pem.certificate())
            .setTlsKey(pem.key())
            .setTlsTrusted(pem.certificate())
            .setSecretFile(secret),
        addresses,
        sharesReader());
  }

  /** Whether the threads of the member read the links of its groups, which are streams then. */
  boolean sharesReader() {
    return false;
  }

  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }
}
