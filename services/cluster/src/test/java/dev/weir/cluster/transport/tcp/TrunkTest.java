package dev.weir.cluster.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.threads.Turn;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.TestMember;
import dev.weir.cluster.transport.Transport;
import dev.weir.cluster.transport.TransportNode;
import dev.weir.cluster.transport.TransportTestBase;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Groups of two members whose links share connections; a dials b, through a forwarder. */
class TrunkTest extends TransportTestBase {
  private static final int GROUPS = 20;

  private final Map<String, Peer> addresses = new ConcurrentHashMap<>();
  private final List<Transport> transports = new ArrayList<>();

  @Override
  public TransportNode openNode(String name) {
    return new TcpNode(new NodeOptions().setMemberName(name), addresses, true) {
      @Override
      TcpTransport transport(GroupOptions options, String self, GroupThreads threads) {
        TcpTransport transport = super.transport(options, self, threads);
        transports.add(transport);
        return transport;
      }
    };
  }

  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }

  /** Stands between b and who dials it. */
  private Forwarder forwarder() throws Exception {
    Peer b = addresses.get("b");
    Forwarder forwarder = closeLater(new Forwarder(b.replication()));
    addresses.put("b", TcpNode.peer("b", b.incarnation(), forwarder.address()));
    return forwarder;
  }

  private List<TestMember> members(TransportNode node, String self, int groups) {
    List<TestMember> members = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      members.add(member(node, group("a", "b").setName("g" + i), self));
    }
    return members;
  }

  private static void exchange(List<TestMember> ofA, List<TestMember> ofB) {
    ByteBuffer buffer = buffer();
    for (int bytes : new int[] {8, 1_000, 16 << 10}) {
      ofA.forEach(member -> member.sendAll(B, buffer, bytes));
      ofB.forEach(member -> member.sendAll(A, buffer, bytes));
    }
    ofA.forEach(member -> member.awaitReceived(B, member.sent(B)));
    ofB.forEach(member -> member.awaitReceived(A, member.sent(A)));
  }

  @Test
  void manyGroupsHaveAConnectionForEachReader() throws Exception {
    TransportNode a = node("a");
    TransportNode b = node("b");
    Forwarder forwarder = forwarder();
    List<TestMember> ofB = members(b, "b", GROUPS);
    List<TestMember> ofA = members(a, "a", GROUPS);
    ofA.forEach(member -> member.awaitEvent("connected 1"));
    ofB.forEach(member -> member.awaitEvent("connected 0"));

    exchange(ofA, ofB);

    int readers = Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));
    assertThat(forwarder.greetings())
        .hasSizeBetween(1, readers)
        .allSatisfy(greeting -> assertThat(greeting).contains("@trunk-"));
  }

  @Test
  void aMemberThatKnowsNoTrunksHasAConnectionForEachGroup() throws Exception {
    TransportNode a = node("a");
    TransportNode b = node("b");
    Forwarder forwarder = forwarder();
    forwarder.withoutTrunks();
    List<TestMember> ofB = members(b, "b", GROUPS);
    List<TestMember> ofA = members(a, "a", GROUPS);
    ofA.forEach(member -> member.awaitEvent("connected 1"));
    ofB.forEach(member -> member.awaitEvent("connected 0"));

    exchange(ofA, ofB);

    assertThat(forwarder.greetings())
        .filteredOn(greeting -> !greeting.contains("@trunk-"))
        .hasSize(GROUPS);
  }

  @Test
  void whatATurnHoldsBackIsSentBeforeLogsAreWritten() throws Exception {
    TransportNode a = node("a");
    TestMember ofB = members(node("b"), "b", 1).get(0);
    TestMember ofA = members(a, "a", 1).get(0);
    ofA.awaitEvent("connected 1");
    AtomicBoolean received = new AtomicBoolean();

    Turn.run(
        () -> {
          Turn.writeAtEnd(
              () -> {
                ofB.awaitReceived(A, ofA.sent(B));
                received.set(true);
              });
          ofA.sendAll(B, buffer(), 8);
        });

    assertThat(received).isTrue();
  }

  @Test
  void aLinkThatEndsLeavesTheOthersAlone() throws Exception {
    TransportNode a = node("a");
    TransportNode b = node("b");
    List<TestMember> ofB = members(b, "b", 3);
    List<TestMember> ofA = members(a, "a", 3);
    ofA.forEach(member -> member.awaitEvent("connected 1"));

    ofB.get(0).close();

    ofA.get(0).awaitEvent("lost 1");
    exchange(ofA.subList(1, 3), ofB.subList(1, 3));
    assertThat(ofA.get(1).events()).containsExactly("connected 1");
    assertThat(ofA.get(2).events()).containsExactly("connected 1");
  }

  @Test
  void groupsThatStartLaterAreConnectedToo() throws Exception {
    TransportNode a = node("a");
    TransportNode b = node("b");
    List<TestMember> ofA = members(a, "a", GROUPS);
    List<TestMember> ofB = members(b, "b", GROUPS);
    exchangeWhenConnected(ofA, ofB);
    TestMember laterA = member(a, group("a", "b").setName("later"), "a");
    TestMember laterB = member(b, group("a", "b").setName("later"), "b");
    exchangeWhenConnected(List.of(laterA), List.of(laterB));
  }

  private static void exchangeWhenConnected(List<TestMember> ofA, List<TestMember> ofB) {
    ofA.forEach(member -> member.awaitEvent("connected 1"));
    ofB.forEach(member -> member.awaitEvent("connected 0"));
    exchange(ofA, ofB);
  }

  @Test
  void aTrunkOnWhichNothingArrivesIsLeftForAnotherOne() throws Exception {
    TransportNode a = node("a");
    TransportNode b = node("b");
    Forwarder forwarder = forwarder();
    List<TestMember> ofB = members(b, "b", 2);
    List<TestMember> ofA = members(a, "a", 2);
    exchangeWhenConnected(ofA, ofB);

    forwarder.cut();
    transports.forEach(transport -> transport.drop(B));

    ofA.forEach(member -> member.awaitEvent("connected 1", 2));
    ofB.forEach(member -> member.awaitEvent("connected 0", 2));
    exchange(ofA, ofB);
  }

  @Test
  void aGroupThatSpinsThereHasAConnectionOfItsOwn() throws Exception {
    TransportNode a = node("a");
    TransportNode b = node("b");
    Forwarder forwarder = forwarder();
    GroupOptions spinning = group(Waiting.SPIN, "a", "b").setLinkWaiting(Waiting.SPIN);
    TestMember there = member(b, spinning, "b");
    TestMember here = member(a, group("a", "b"), "a");
    exchangeWhenConnected(List.of(here), List.of(there));
    assertThat(forwarder.greetings()).anyMatch(greeting -> !greeting.contains("@trunk-"));
    exchangeWhenConnected(members(a, "a", 1), members(b, "b", 1));
  }
}
