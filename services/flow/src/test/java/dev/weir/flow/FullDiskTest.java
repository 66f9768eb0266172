package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.queue.OverflowPolicy;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.SmallDisk;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.ReplyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file system of 64 MB that is really full. */
class FullDiskTest extends FlowTestBase {
  private static final int BODY_BYTES = 20_000;

  /** More than fit at once. */
  private static final int TOO_MANY = 5_000;

  private static final int IN_FLIGHT = 50;
  private static final int MAX_LOGGED = 100;

  private final List<Integer> handled = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> accepted = new ArrayList<>();
  private int next;
  private final Logger storeLog = Logger.getLogger("dev.weir.queue.store.StoreWriter");
  private final AtomicInteger logged = new AtomicInteger();
  private Path disk;
  private SmallDisk smallDisk;

  @BeforeEach
  void countWhatTheStoreLogs() {
    storeLog.setFilter(logRecord -> logged.incrementAndGet() <= MAX_LOGGED);
  }

  @BeforeEach
  void mount() throws IOException {
    disk = directory.resolve("disk");
    smallDisk = SmallDisk.mount(disk, 64);
  }

  /** The Weir has to be closed before. */
  @Override
  @AfterEach
  void closeAll() {
    try {
      super.closeAll();
    } finally {
      storeLog.setFilter(null);
      if (smallDisk != null) {
        smallDisk.unmount();
      }
    }
    assertThat(logged.get())
        .as("lines the store has logged: it does not turn without a pause")
        .isLessThan(MAX_LOGGED);
  }

  private Weir smallWeir() {
    return weir(
        new WeirOptions()
            .setDirectory(disk.resolve("data").toString())
            .setCacheBytes(4 << 20)
            .setLogFileBytes(1 << 20)
            .setMinFreeBytes(16 << 20));
  }

  private static ServiceOptions inOrder() {
    return new ServiceOptions().setWorkers(1).setWriteThrough(true);
  }

  private Future<?> handle(ServiceMessage<byte[]> message) {
    handled.add(ByteBuffer.wrap(message.body()).getInt());
    return Future.succeededFuture();
  }

  /** So that something waits while the disk becomes full. */
  private Future<?> handleSlowly(ServiceMessage<byte[]> message) {
    handled.add(ByteBuffer.wrap(message.body()).getInt());
    Promise<Void> later = Promise.promise();
    vertx.setTimer(2, ignored -> later.complete());
    return later.future();
  }

  private Future<Void> send(Weir weir, String address, int number) {
    byte[] body = ByteBuffer.allocate(BODY_BYTES).putInt(number).array();
    Durability durability = number % 2 == 0 ? Durability.PROCESS : Durability.MACHINE;
    return weir.send(address, body, durability);
  }

  private record Sent(int number, Future<Void> outcome) {}

  /** Sends numbers, a few at a time, until one fails; returns why those failed that did. */
  private List<Throwable> sendUntilOneFails(Weir weir, String address) {
    List<Throwable> failures = new ArrayList<>();
    for (int end = next + TOO_MANY; next < end && failures.isEmpty(); ) {
      List<Sent> sent = new ArrayList<>();
      for (int i = 0; i < IN_FLIGHT; i++) {
        int number = next++;
        sent.add(new Sent(number, send(weir, address, number)));
      }
      failures.addAll(outcomes(sent));
    }
    assertThat(failures).as("failures of %d sends", next).isNotEmpty();
    return failures;
  }

  private List<Throwable> outcomes(List<Sent> sent) {
    List<Throwable> failures = new ArrayList<>();
    for (Sent one : sent) {
      Await.until("the outcome of " + one.number, one.outcome::isComplete);
      if (one.outcome.succeeded()) {
        accepted.add(one.number);
      } else {
        failures.add(one.outcome.cause());
      }
    }
    return failures;
  }

  private void sendUntilOneSucceeds(Weir weir, String address) {
    int before = accepted.size();
    Await.until(
        "a send succeeds again",
        () -> {
          outcomes(List.of(new Sent(next, send(weir, address, next))));
          next++;
          return accepted.size() > before;
        });
  }

  private void allAcceptedAreHandled() {
    Await.until(
        accepted.size() + " accepted are handled, " + handled.size() + " are now",
        () -> handled.size() >= accepted.size());
    assertThat(List.copyOf(handled)).isEqualTo(accepted);
  }

  @Test
  void aFullDiskRefusesSendsUntilWhatWaitsIsHandled() {
    Weir weir = smallWeir();
    Service service = serve(weir, "full", inOrder(), this::handle);
    Futures.result("pause", service.pause());
    sendUntilOneFails(weir, "full").forEach(cause -> assertFailure(cause, FlowFailure.DISK_FULL));
    assertThat(accepted).hasSizeGreaterThan(1000);
    assertFailure(
        Futures.failure("a send to a full disk", send(weir, "full", next++)),
        FlowFailure.DISK_FULL);

    Futures.result("resume", service.resume());
    allAcceptedAreHandled();
    sendUntilOneSucceeds(weir, "full");
    allAcceptedAreHandled();
  }

  @Test
  void handlersThatAllFailOnceHandleEverythingOfAFullDiskWithoutARestart() {
    Weir weir = smallWeir();
    Set<Integer> failed = ConcurrentHashMap.newKeySet();
    Service service =
        serve(
            weir,
            "failing",
            inOrder().setBackoffMs(5),
            (ServiceMessage<byte[]> message) ->
                failed.add(ByteBuffer.wrap(message.body()).getInt())
                    ? Future.failedFuture("on purpose")
                    : handle(message));
    Futures.result("pause", service.pause());
    sendUntilOneFails(weir, "failing");
    Futures.result("resume", service.resume());
    Await.until(
        () -> accepted.size() + " accepted are handled: " + service.stats(),
        () -> handled.size() >= accepted.size());
    assertThat(handled).containsExactlyInAnyOrderElementsOf(accepted);
    sendUntilOneSucceeds(weir, "failing");
  }

  private final class Serving extends VerticleBase {
    private final Weir weir;
    private final ServiceHandler<byte[]> handler;

    Serving(Weir weir, ServiceHandler<byte[]> handler) {
      this.weir = weir;
      this.handler = handler;
    }

    @Override
    public Future<?> start() {
      return weir.serve("faults", diskOnly().setDrainTimeoutMs(10), handler);
    }
  }

  @Test
  void undeployingOnAFullDiskWithACodecThatThrowsAnswersEverybodyAndLosesNothing()
      throws Exception {
    Weir weir = smallWeir().registerCodec(Text.class, new Text.WriteOnlyCodec());
    Promise<Object> held = Promise.promise();
    String deployment =
        Futures.result("deploy", vertx.deployVerticle(new Serving(weir, message -> held.future())));
    List<Future<?>> requests = new ArrayList<>();
    requests.add(vertx.eventBus().request("faults", new byte[1]));
    for (int i = 0; i < 20; i++) {
      requests.add(vertx.eventBus().request("faults", new Text("text " + i)));
      requests.add(vertx.eventBus().request("faults", new byte[BODY_BYTES]));
    }
    sendUntilOneFails(weir, "faults");
    Path foreign = smallDisk.fillUp();
    List<Sent> late = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      late.add(new Sent(next, send(weir, "faults", next)));
      next++;
    }

    Futures.result("undeploy", vertx.undeploy(deployment));

    for (Future<?> request : requests) {
      assertThat(Futures.failure("a request", request)).isInstanceOf(ReplyException.class);
    }
    outcomes(late);
    held.complete();
    Files.delete(foreign);
    // The store notices after a moment that there is room.
    Await.until(
        "it is deployed again",
        () -> {
          Future<String> again = vertx.deployVerticle(new Serving(weir, this::handle));
          Await.until("the deployment has ended", again::isComplete);
          return again.succeeded();
        });
    allAcceptedAreHandled();
    sendUntilOneSucceeds(weir, "faults");
    allAcceptedAreHandled();
  }

  @Test
  void aDiskFilledByOthersCostsNoMessageAndIsLeftBehindWithoutARestart() throws Exception {
    Weir weir = smallWeir();
    serve(weir, "filled", inOrder(), this::handleSlowly);
    List<Sent> before = new ArrayList<>();
    for (; next < 500; next++) {
      before.add(new Sent(next, send(weir, "filled", next)));
    }
    assertThat(outcomes(before)).isEmpty();
    List<Throwable> failures = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      Future<Path> filling = vertx.executeBlocking(smallDisk::fillUp);
      failures.addAll(sendUntilOneFails(weir, "filled"));
      Path foreign = Futures.result("the disk is filled", filling);
      failures.addAll(sendUntilOneFails(weir, "filled"));
      Files.delete(foreign);
      sendUntilOneSucceeds(weir, "filled");
    }
    assertThat(failures)
        .allSatisfy(
            cause ->
                assertThat(((ReplyException) cause).failureCode())
                    .isIn(FlowFailure.DISK_FULL.code(), FlowFailure.STORE_FAILED.code()));
    allAcceptedAreHandled();
  }

  @Test
  void underBlockSendsWaitForRoomOnTheDisk() throws Exception {
    Weir weir = smallWeir();
    serve(weir, "blocked", inOrder().setPolicy(OverflowPolicy.BLOCK), this::handle);
    serve(weir, "probe", new ServiceOptions(), message -> Future.succeededFuture());
    Path foreign = smallDisk.fillUp();
    List<Sent> sent = new ArrayList<>();
    for (int turn = 0; turn < 3; turn++) {
      for (int i = 0; i < IN_FLIGHT; i++) {
        sent.add(new Sent(next, send(weir, "blocked", next)));
        next++;
      }
      // By now the store has looked at the disk again.
      Throwable probed = Futures.failure("probe", weir.send("probe", 1, Durability.PROCESS));
      assertThat(((ReplyException) probed).failureCode())
          .isIn(FlowFailure.DISK_FULL.code(), FlowFailure.STORE_FAILED.code());
    }
    assertThat(sent).noneMatch(one -> one.outcome.isComplete());
    assertThat(handled).isEmpty();

    Files.delete(foreign);
    assertThat(outcomes(sent)).isEmpty();
    allAcceptedAreHandled();
  }
}
