package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceMessage;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that holds no replica sends while a member closes; all nodes are in this process. */
@Tag("slow")
@Timeout(900)
class OrderlyCloseTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int SHARDS = 3;
  private static final int KEYS = 30;
  private static final int REQUESTS_PER_MS = 2;
  private static final int CLOSINGS = 3;

  /** A request that the service has taken is answered by then. */
  private static final long ANSWER_MS = 5_000;

  /** Only a request that nobody has taken waits for so long. */
  private static final long TIMEOUT_MS = 30_000;

  private final List<Integer> ports = FreePorts.find(2 * NAMES.size() + 1);
  private final List<Integer> hazelcastPorts = ports.subList(0, NAMES.size() + 1);
  private final Map<String, TestMember> members = new TreeMap<>();
  private final Map<String, Groups> groups = new TreeMap<>();
  private final Map<String, GroupService> services = new TreeMap<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();

  /** Failures that are none of the service's. */
  private final Queue<String> lost = new ConcurrentLinkedQueue<>();

  @TempDir private Path directory;
  private TestMember outside;

  private TestMember node(String name, int index, int clientPort) {
    return new TestMember(
        name, ports.get(index), clientPort, hazelcastPorts, directory.resolve(name));
  }

  private void serve(String name) {
    int index = NAMES.indexOf(name);
    TestMember member = node(name, index, ports.get(hazelcastPorts.size() + index));
    members.put(name, member);
    groups.put(
        name, Futures.result("groups", Groups.start(member.vertx, member.weir, member.node)));
    services.put(
        name,
        Counter.serve(
            name,
            groups.get(name),
            new ShardOptions().setMembers(NAMES).setShards(SHARDS).setCopies(NAMES.size())));
  }

  private void stop(String name) {
    services.remove(name);
    Futures.result("groups", groups.remove(name).close());
    members.remove(name).close();
  }

  @AfterEach
  void close() {
    List.copyOf(members.keySet()).forEach(this::stop);
    if (outside != null) {
      outside.close();
    }
  }

  private boolean isWhole() {
    return services.values().stream()
            .flatMap(service -> service.replicas().stream())
            .map(replica -> replica.stats())
            .filter(stats -> stats.role() == Role.PRIMARY && stats.inSync() == NAMES.size())
            .count()
        == SHARDS;
  }

  private void send() {
    DeliveryOptions options =
        new DeliveryOptions()
            .setSendTimeout(TIMEOUT_MS)
            .addHeader(ServiceMessage.TIMEOUT_MS, "" + ANSWER_MS)
            .addHeader(Groups.KEY, "key " + sent.getAndIncrement() % KEYS);
    outside
        .vertx
        .eventBus()
        .request("counter", new JsonObject(), options)
        .onSuccess(reply -> answered.incrementAndGet())
        .onFailure(
            failure -> {
              if (!isOfTheService(failure)) {
                lost.add(failure.toString());
              }
            })
        .onComplete(done -> ended.incrementAndGet());
  }

  private static boolean isOfTheService(Throwable failure) {
    return failure instanceof ReplyException reply
        && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
        && Stream.of(FlowFailure.values()).anyMatch(each -> each.code() == reply.failureCode());
  }

  private void goesOn() {
    long before = answered.get();
    Await.until("requests are answered", () -> answered.get() > before + 10 * KEYS);
  }

  /** Whether all requests were answered that were sent while a member closed. */
  private boolean closesWithoutALoss() {
    Await.until("all shards are whole", this::isWhole);
    lost.clear();
    long sender =
        outside.vertx.setPeriodic(
            1,
            tick -> {
              for (int i = 0; i < REQUESTS_PER_MS; i++) {
                send();
              }
            });
    goesOn();
    Await.until(
        "a takes a share of the requests",
        () -> services.get("a").service().stats().completed() > KEYS);

    stop("a");

    goesOn();
    outside.vertx.cancelTimer(sender);
    Await.until(
        () -> ended.get() + " of " + sent.get() + " requests have ended",
        () -> ended.get() == sent.get());
    return lost.isEmpty();
  }

  @Test
  void everyRequestOfAnotherNodeIsAnsweredWhileAMemberClosesInOrder() {
    NAMES.forEach(this::serve);
    outside = node("outside", NAMES.size(), 0);
    // A machine that stands still for longer than others get to hear of it may lose one.
    boolean answersAll = closesWithoutALoss();
    for (int i = 1; i < CLOSINGS && !answersAll; i++) {
      serve("a");
      answersAll = closesWithoutALoss();
    }
    assertThat(answersAll).as("of each closing some were lost, of the last: %s", lost).isTrue();
  }
}
