package dev.weir.cluster.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.Allocation;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.TestMember;
import dev.weir.cluster.transport.Transport;
import dev.weir.cluster.transport.TransportNode;
import dev.weir.cluster.transport.TransportTestBase;
import dev.weir.testing.Await;
import dev.weir.testing.LoggedLines;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to TCP: who is let in, and what it costs. */
final class TcpEndpointTest extends TransportTestBase {
  private final Map<String, Peer> addresses = new ConcurrentHashMap<>();

  @Override
  public TransportNode openNode(String name) {
    return new TcpNode(new NodeOptions().setMemberName(name), addresses);
  }

  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }

  private List<TestMember> pair() {
    TestMember a = member(node("a"), group("a", "b"), "a");
    TestMember b = member(node("b"), group("a", "b"), "b");
    a.awaitEvent("connected 1");
    b.awaitEvent("connected 0");
    return List.of(a, b);
  }

  private void assertUndisturbed(List<TestMember> pair) {
    long sent = pair.get(A).sent(B);
    pair.get(A).sendAll(B, buffer(), 100);
    pair.get(B).awaitReceived(A, sent + 1);
    assertThat(pair.get(A).events()).containsExactly("connected 1");
    assertThat(pair.get(B).events()).containsExactly("connected 0");
  }

  private Socket connect(String member) throws IOException {
    InetSocketAddress address = addresses.get(member).replication();
    return new Socket(address.getAddress(), address.getPort());
  }

  /** Says hello as a stranger and returns what kind of answer comes. */
  private int answerTo(Hello hello) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(4096);
    hello.encode(Hello.HELLO, out);
    try (Socket socket = connect("b")) {
      socket.getOutputStream().write(out.array(), 0, out.limit());
      byte[] in = socket.getInputStream().readAllBytes();
      return Hello.decodeKind(ByteBuffer.wrap(in, Integer.BYTES, in.length - Integer.BYTES));
    }
  }

  private Hello hello(String cluster, String group, String members, String from, String to) {
    return hello(cluster, group, members, from, to, new InetSocketAddress("127.0.0.1", 1));
  }

  private Hello hello(
      String cluster,
      String group,
      String members,
      String from,
      String to,
      InetSocketAddress listening) {
    GroupAgreement agreement =
        GroupAgreement.of(group("a", "b").setMembers(List.of(members.split(","))), "test");
    return new Hello(cluster, group, agreement, from, to, 7, listening);
  }

  @Test
  void whoDoesNotSpeakTheProtocolIsSentAway() throws IOException {
    List<TestMember> pair = pair();
    try (Socket socket = connect("b")) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes());
      assertThat(endOf(socket)).isTrue();
    }
    assertUndisturbed(pair);
  }

  private static boolean endOf(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      // Reset: what was sent has not been read.
      return true;
    }
  }

  @Test
  void whoConnectsAndSaysNothingDisturbsNobody() throws IOException {
    List<TestMember> pair = pair();
    for (int i = 0; i < 100; i++) {
      connect("b").close();
    }
    assertUndisturbed(pair);
  }

  @Test
  void strangersAreRefused() throws IOException {
    List<TestMember> pair = pair();
    assertThat(answerTo(hello("other", "processor", "a,b", "a", "b"))).isEqualTo(Hello.REFUSED);
    assertThat(answerTo(hello("weir", "processor", "b,a", "a", "b"))).isEqualTo(Hello.REFUSED);
    assertThat(answerTo(hello("weir", "processor", "a,b", "c", "b"))).isEqualTo(Hello.REFUSED);
    assertThat(answerTo(hello("weir", "processor", "a,b", "a", "c"))).isEqualTo(Hello.REFUSED);
    assertThat(answerTo(hello("weir", "unknown", "a,b", "a", "b"))).isEqualTo(Hello.LATER);
    assertUndisturbed(pair);
  }

  @Test
  void aSecondProcessOfTheSameNameIsRefusedWhileTheFirstIsConnected() throws IOException {
    List<TestMember> pair = pair();
    assertThat(answerTo(hello("weir", "processor", "a,b", "a", "b"))).isEqualTo(Hello.REFUSED);
    assertUndisturbed(pair);
  }

  @Test
  void aNameInPlaceOfAnAddressIsNotLookedUp() throws IOException {
    List<TestMember> pair = pair();
    for (String host : List.of("localhost", "1.2.3", "256.1.1.1", "1.2.3.4.", "", "x:1")) {
      assertThat(isRefusedUnread(host)).as(host).isTrue();
    }
    assertUndisturbed(pair);
  }

  /** Says hello with a text in place of the address; whether it is the greeting that is refused. */
  private boolean isRefusedUnread(String host) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(4096);
    hello("other", "processor", "a,b", "a", "b").encode(Hello.HELLO, out);
    byte[] address = host.getBytes(StandardCharsets.UTF_8);
    int at = out.limit() - Short.BYTES - "127.0.0.1".length();
    out.limit(at + Short.BYTES + address.length);
    out.putShort(at, (short) address.length).put(at + Short.BYTES, address);
    out.putInt(0, out.limit() - Integer.BYTES);
    try (Socket socket = connect("b")) {
      socket.getOutputStream().write(out.array(), 0, out.limit());
      return endOf(socket);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "255.255.255.255", "0.0.0.0", "::1", "fe80::1%1", "::ffff:1.2.3.4"})
  void anAddressArrivesAsItWasSent(String host) throws IOException {
    InetSocketAddress listening = new InetSocketAddress(host, 65_535);
    Hello sent = hello("weir", "processor", "a,b", "a", "b", listening);
    ByteBuffer out = ByteBuffer.allocate(4096);
    sent.encode(Hello.HELLO, out);
    out.position(Integer.BYTES);
    assertThat(Hello.decodeKind(out)).isEqualTo(Hello.HELLO);
    assertThat(Hello.decode(out).listening()).isEqualTo(listening);
  }

  @Test
  void strangersDoNotFillTheLogWhateverTheyAreCalled() throws IOException {
    List<TestMember> pair = pair();
    long startNs = System.nanoTime();
    LoggedLines log = LoggedLines.of(TcpEndpoint.class.getName(), Level.WARNING);
    try (log) {
      for (int i = 0; i < 300; i++) {
        String name = "x".repeat(1_500) + "\r\nall is well " + i;
        Hello hello = hello("other", "c" + i, "a,b", name, "b");
        assertThat(answerTo(hello)).isEqualTo(Hello.REFUSED);
      }
    }
    long minutes = 1 + TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startNs);
    assertThat(log.lines()).isNotEmpty().hasSizeLessThanOrEqualTo((int) (10 * minutes));
    assertThat(log.lines()).allMatch(line -> line.length() < 1_200 && line.lines().count() == 1);
    assertUndisturbed(pair);
  }

  @Test
  void theOldestOfManyStrangersMakesRoom() throws IOException {
    TestMember b = member(node("b"), group("a", "b"), "b");
    List<Socket> strangers = new ArrayList<>(List.of(connect("b")));
    strangers.get(0).setSoTimeout(1);
    try {
      while (strangers.size() % 100 > 0 || isOpen(strangers.get(0))) {
        strangers.add(connect("b"));
        // The system accepts some hundreds on its own. A stranger may say nothing for a second.
        assertThat(strangers).hasSizeLessThan(1_000);
      }
      member(node("a"), group("a", "b"), "a").awaitEvent("connected 1");
      b.awaitEvent("connected 0");
    } finally {
      for (Socket socket : strangers) {
        socket.close();
      }
    }
  }

  private static boolean isOpen(Socket socket) {
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      NodeOptions options =
          new NodeOptions().setMemberName("a").setReplicationPort(taken.getLocalPort());
      assertThatThrownBy(() -> new TcpNode(options, new HashMap<>()))
          .hasMessageContaining("replicationPort " + taken.getLocalPort() + " cannot be had")
          .hasMessageContaining("127.0.0.1");
    }
  }

  @Test
  void aClosedEndpointListensNoLonger() {
    try (TransportNode node = openNode("a")) {
      assertThat(node).isNotNull();
    }
    assertThatThrownBy(() -> connect("a")).isInstanceOf(IOException.class);
  }

  @Test
  void framesAreExchangedWithoutAllocation() {
    GroupOptions options = group(Waiting.SPIN, "a", "b");
    Transport a = closeLater(((TcpNode) node("a")).transport(options, "a"));
    Transport b = closeLater(((TcpNode) node("b")).transport(options, "b"));
    ByteBuffer frame = buffer().limit(200);
    long[] round = new long[1];
    a.start(new Echo(() -> round[0]++));
    b.start(new Echo(() -> b.send(A, frame)));
    Await.until("connected", () -> a.poll() + b.poll() == 0 && a.send(B, frame));
    Await.until("the first frame is back", () -> a.poll() + b.poll() >= 0 && round[0] == 1);
    Runnable roundTrip =
        () -> {
          a.send(B, frame);
          for (long before = round[0]; round[0] == before; ) {
            b.poll();
            a.poll();
          }
        };
    assertThat(Allocation.bytesPerRun(5000, roundTrip)).isZero();
  }

  /** Does the same for each frame. */
  private record Echo(Runnable onFrame) implements Transport.Receiver {
    @Override
    public void onFrame(int from, ByteBuffer frame) {
      onFrame.run();
    }

    @Override
    public void onConnected(int member) {}

    @Override
    public void onLost(int member) {}

    @Override
    public void onRefused(int member) {}
  }
}
