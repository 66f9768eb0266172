package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Replication;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceMessage;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two members, each a process, and requests from a third node of the bus that has no group. */
@Tag("slow")
@Timeout(300)
class GroupFailoverTest {
  private static final int REQUESTS = 3_000;
  private static final int IN_FLIGHT = 50;
  private static final long TIMEOUT_MS = 2_000;

  private final List<Integer> ports = FreePorts.find(5);
  private final Set<Long> counts = ConcurrentHashMap.newKeySet();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  @TempDir private Path directory;
  private TestMember outside;

  private ChildJvm start(int member, Replication replication, AckLevel level) {
    String name = MemberProcess.MEMBERS.get(member);
    return ChildJvm.of(MemberProcess.class)
        .flags(
            "-Xmx256m",
            "-D" + MemberProcess.REPLICATION + "=" + replication.name(),
            "-D" + MemberProcess.ACK_LEVEL + "=" + level.name())
        .mergeErrors()
        .start(
            name,
            "" + ports.get(member),
            "" + ports.get(2 + member),
            directory.resolve(name).toString(),
            hazelcastPorts().stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  private List<Integer> hazelcastPorts() {
    return List.of(ports.get(0), ports.get(1), ports.get(4));
  }

  /** Sends requests one after another, each again under its id until it is answered. */
  private Future<Void> sendAll() {
    int number = next.getAndIncrement();
    return number >= REQUESTS
        ? Future.succeededFuture()
        : send("request " + number).compose(sent -> sendAll());
  }

  private Future<Void> send(String id) {
    DeliveryOptions options =
        new DeliveryOptions()
            .setSendTimeout(TIMEOUT_MS)
            .addHeader(ServiceMessage.TIMEOUT_MS, "" + TIMEOUT_MS)
            .addHeader(ServiceMessage.MESSAGE_ID, id);
    return outside
        .vertx
        .eventBus()
        .<JsonObject>request("counter", new JsonObject(), options)
        .onSuccess(reply -> counts.add(reply.body().getLong("count")))
        .<Void>mapEmpty()
        .onSuccess(sent -> answered.incrementAndGet())
        .recover(failure -> outside.vertx.timer(20).compose(again -> send(id)));
  }

  @ParameterizedTest
  @CsvSource({"TCP, PERSISTED", "HAZELCAST, FLUSHED"})
  void eachRequestIsAppliedOnceThoughThePrimaryIsKilled(Replication replication, AckLevel level) {
    try (ChildJvm a = start(0, replication, level);
        ChildJvm b = start(1, replication, level)) {
      outside = new TestMember("outside", ports.get(4), 0, hazelcastPorts(), directory);
      try {
        a.await("serves");
        b.await("serves");
        Await.until(
            () -> "one is primary of both groups: " + a.lines() + b.lines(),
            () -> a.hasSaid("primary of both") || b.hasSaid("primary of both"));
        ChildJvm primary = a.hasSaid("primary of both") ? a : b;
        List<Future<Void>> senders = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
          senders.add(sendAll());
        }
        Await.until("a third is answered", () -> answered.get() > REQUESTS / 3);
        primary.kill();
        Futures.result("all are answered", Future.all(senders));
        assertThat(counts)
            .containsExactlyInAnyOrderElementsOf(
                LongStream.rangeClosed(1, REQUESTS).boxed().toList());
        assertTooFewAreInSync();
      } finally {
        outside.close();
      }
    }
  }

  /** The other member holds all, and may not acknowledge alone. */
  private void assertTooFewAreInSync() {
    DeliveryOptions options =
        new DeliveryOptions()
            .setSendTimeout(5 * TIMEOUT_MS)
            .addHeader(ServiceMessage.TIMEOUT_MS, "" + TIMEOUT_MS);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Await.until(
        () -> "the other is primary of this group too, and not in sync with any: " + failure,
        () -> {
          failure.set(
              Futures.failure(
                  "a refusal",
                  outside.vertx.eventBus().request("strict", new JsonObject(), options)));
          // The bus may still ask the one that was killed.
          return code(failure.get()) == FlowFailure.NOT_IN_SYNC.code();
        });
  }

  private static int code(Throwable failure) {
    return ((ReplyException) failure).failureCode();
  }
}
