package dev.weir.flow.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.spi.cluster.RegistrationInfo;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BusDepartureTest {
  private static final long LONG_MS = 3_600_000;
  private static final long HEARD_MS = 200;

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();

  /** What the cluster knows of the address. */
  private final List<RegistrationInfo> registered = new ArrayList<>();

  /** The first reads of the nodes, which are answered together. */
  private final List<Completable<List<RegistrationInfo>>> reads = new ArrayList<>();

  private Consumer<Completable<List<RegistrationInfo>>> laterReads =
      read -> read.succeed(List.copyOf(registered));

  private int nodes;
  private MessageConsumer<?> consumer;

  @BeforeEach
  void register() {
    consumer = vertx.eventBus().consumer("shared", message -> message.reply("a reply"));
    Futures.result("it is registered", consumer.completion());
  }

  @AfterEach
  void close() {
    Futures.result("Vert.x closes", vertx.close());
  }

  @Test
  void withoutAClusterNobodyIsWaitedForAndTheConsumerStays() {
    Future<Void> announced = BusDeparture.announce(context, List.of(consumer), LONG_MS);

    assertThat(announced.succeeded()).as("at once").isTrue();
    assertThat(Futures.result("a reply", vertx.eventBus().request("shared", "")).body())
        .isEqualTo("a reply");
  }

  @Test
  void oneOfTwoNodesIsWithdrawn() {
    ClusterManager closes = node("closes");
    registered.add(new RegistrationInfo("stays", 1, false));

    Future<Void> announced = BusDeparture.announce(closes, context, List.of(consumer), 1);
    answerReads();
    Futures.result("the other one has heard", announced);

    assertThat(registered).extracting(RegistrationInfo::nodeId).containsExactly("stays");
  }

  @Test
  void ofTwoNodesThatCloseAtTheSameMomentOneServesOn() {
    ClusterManager first = node("first");
    ClusterManager second = node("second");

    List<Future<Void>> announced =
        List.of(
            BusDeparture.announce(first, context, List.of(consumer), 1),
            BusDeparture.announce(second, context, List.of(consumer), 1));
    answerReads();
    Futures.result("both have left", Future.all(announced));

    assertThat(registered).extracting(RegistrationInfo::nodeId).containsExactly("second");
  }

  @Test
  void twoNodesOfWhichNeitherSeesTheOtherAnyMoreBothServeOn() {
    List<Completable<List<RegistrationInfo>>> looks = new ArrayList<>();
    laterReads = looks::add;
    ClusterManager first = node("first");
    ClusterManager second = node("second");

    List<Future<Void>> announced =
        List.of(
            BusDeparture.announce(first, context, List.of(consumer), 1),
            BusDeparture.announce(second, context, List.of(consumer), 1));
    answerReads();
    assertThat(registered).as("what senders find until they have looked").isEmpty();
    looks.forEach(look -> look.succeed(List.of()));
    Futures.result("both have left", Future.all(announced));

    assertThat(registered)
        .extracting(RegistrationInfo::nodeId)
        .containsExactlyInAnyOrder("first", "second");
  }

  @Test
  void othersGetTheTimeToHearOfItAlsoIfTheClusterDoesNotSayWhoIsLeft() {
    laterReads =
        read -> read.fail(new IllegalStateException("the cluster does not answer any more"));
    ClusterManager closes = node("closes");
    registered.add(new RegistrationInfo("stays", 1, false));
    long startNs = System.nanoTime();

    Future<Void> announced = BusDeparture.announce(closes, context, List.of(consumer), HEARD_MS);
    answerReads();
    Futures.result("the other one has heard", announced);

    assertThat(System.nanoTime() - startNs)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(HEARD_MS));
    assertThat(registered).extracting(RegistrationInfo::nodeId).containsExactly("stays");
  }

  private void answerReads() {
    List<RegistrationInfo> both = List.copyOf(registered);
    reads.forEach(read -> read.succeed(both));
  }

  /** A node that serves the address; its first read waits for {@link #answerReads}. */
  private ClusterManager node(String id) {
    nodes++;
    registered.add(new RegistrationInfo(id, 1, false));
    return (ClusterManager)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ClusterManager.class},
            (proxy, method, args) ->
                method.getName().equals("getNodeId") ? id : called(method.getName(), args));
  }

  @SuppressWarnings("unchecked")
  private Object called(String method, Object[] args) {
    if (!method.equals("getRegistrations")) {
      RegistrationInfo info = (RegistrationInfo) args[1];
      boolean added = method.equals("addRegistration");
      assertThat(added ? registered.add(info) : registered.remove(info)).as(method).isTrue();
      ((Completable<Void>) args[2]).succeed();
    } else if (reads.size() < nodes) {
      reads.add((Completable<List<RegistrationInfo>>) args[1]);
    } else {
      laterReads.accept((Completable<List<RegistrationInfo>>) args[1]);
    }
    return null;
  }
}
