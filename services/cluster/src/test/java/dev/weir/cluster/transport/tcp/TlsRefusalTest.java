package dev.weir.cluster.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.TestMember;
import dev.weir.cluster.transport.TransportNode;
import dev.weir.cluster.transport.TransportTestBase;
import dev.weir.testing.Await;
import dev.weir.testing.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is refused by a member with TLS or a secret, and what both logs say. */
@Tag("slow")
final class TlsRefusalTest extends TransportTestBase {
  private static final Logger LOG = Logger.getLogger(TcpEndpoint.class.getName());

  @TempDir static Path directory;
  private static TestCertificates.Pem members;
  private static TestCertificates.Pem stranger;
  private static Path secret;
  private static Path other;

  private final Map<String, Peer> addresses = new ConcurrentHashMap<>();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Map<String, NodeOptions> nodes = new HashMap<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          Object[] values = line.getParameters();
          lines.add(values == null ? line.getMessage() : List.of(values).toString());
          lines.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeAll
  static void make() throws Exception {
    members = TestCertificates.make(directory, "members");
    stranger = TestCertificates.make(directory, "stranger");
    secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef\n");
    other = Files.writeString(directory.resolve("other"), "another-secret-here");
  }

  @BeforeEach
  void listen() {
    LOG.setLevel(Level.ALL);
    LOG.setUseParentHandlers(false);
    LOG.addHandler(handler);
  }

  @AfterEach
  void listenNoMore() {
    LOG.removeHandler(handler);
    LOG.setUseParentHandlers(true);
    LOG.setLevel(null);
  }

  @Override
  public TransportNode openNode(String name) {
    return new TcpNode(nodes.get(name).setMemberName(name), addresses);
  }

  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }

  private static NodeOptions plain() {
    return new NodeOptions();
  }

  private static NodeOptions tls(TestCertificates.Pem own) {
    return plain()
        .setTlsCertificates(own.certificate())
        .setTlsKey(own.key())
        .setTlsTrusted(own.certificate());
  }

  private void areRefused(NodeOptions a, NodeOptions b, String... said) {
    nodes.put("a", a);
    nodes.put("b", b);
    TestMember first = member(node("a"), group("a", "b"), "a");
    TestMember second = member(node("b"), group("a", "b"), "b");
    for (String part : said) {
      Await.until(
          () -> "a line with '" + part + "': " + lines,
          () -> lines.stream().anyMatch(line -> line.contains(part)));
    }
    assertThat(first.events()).isEmpty();
    assertThat(second.events()).isEmpty();
  }

  @Test
  void withoutTlsAMemberIsRefusedByOneWithTls() {
    areRefused(
        plain(),
        tls(members),
        "refused a connection without TLS that is trusted here",
        "there members speak TLS, here tlsCertificates is not set");
  }

  @Test
  void withTlsAMemberIsRefusedByOneWithout() {
    areRefused(
        tls(members),
        plain(),
        "speaks TLS, which is off here: tlsCertificates is not set",
        "it does not speak TLS that is trusted here");
  }

  @Test
  void aCertificateThatNobodyTrustedHasSignedIsRefused() {
    areRefused(tls(members), tls(stranger), "TLS that is trusted here");
  }

  @Test
  void withAnotherSecretAMemberIsRefused() {
    areRefused(
        plain().setSecretFile(other),
        plain().setSecretFile(secret),
        "it does not know the secret of secretFile",
        "there secretFile has another secret than here");
  }

  @Test
  void withoutTheSecretAMemberIsRefusedAndSaysWhy() {
    areRefused(
        plain(),
        plain().setSecretFile(secret),
        "there members have to know a secret, here secretFile is not set");
  }

  @Test
  void aMemberWithASecretTakesNobodyWithout() {
    areRefused(
        plain().setSecretFile(secret),
        plain(),
        "it asks for a secret, here secretFile is not set",
        "there secretFile is not set, here it is");
  }

  @Test
  void aFileThatCannotBeUsedIsNamed() throws Exception {
    Path empty = Files.writeString(directory.resolve("empty"), "");
    fails(o -> o.setTlsCertificates(empty), "tlsCertificates", "certificates in PEM");
    fails(o -> o.setTlsTrusted(members.key()), "tlsTrusted", "certificates in PEM");
    fails(o -> o.setTlsKey(members.certificate()), "tlsKey", "PKCS #8");
    fails(o -> o.setTlsKey(directory.resolve("none")), "tlsKey", "PKCS #8");
    fails(o -> o.setSecretFile(empty), "secretFile", "at least 16 bytes");
    assertThatThrownBy(() -> plain().setMemberName("a").setTlsKey(members.key()).validate())
        .hasMessageContaining("allowed is a file for all three or for none");
  }

  private void fails(UnaryOperator<NodeOptions> change, String... parts) {
    NodeOptions options = change.apply(tls(members)).setMemberName("a");
    for (String part : parts) {
      assertThatThrownBy(() -> new TcpNode(options, addresses)).hasMessageContaining(part);
    }
  }
}
