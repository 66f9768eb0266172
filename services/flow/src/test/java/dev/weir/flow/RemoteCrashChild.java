package dev.weir.flow;

import dev.weir.queue.Durability;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes that {@link RemoteCrashTest} kills: an owner, which sends numbers to its own
 * service, and consumers of the service.
 */
final class RemoteCrashChild {
  /** Of a consumer. */
  static final int CREDITS = 20;

  /** Longer than a busy machine keeps a consumer from saying that it is there. */
  static final long LEASE_MS = 6_000;

  private static final int IN_FLIGHT = 100;

  private final Vertx vertx;
  private long next;
  private long to;
  private long open;
  private int consumers;

  private RemoteCrashChild(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * @param args the cluster's name, the own port, all ports; then {@code consumer}, or {@code
   *     owner} with its directory, how many consumers there must be before it sends, the first
   *     number and the number to end before
   */
  public static void main(String[] args) {
    List<Integer> ports = Stream.of(args[2].split(",")).map(Integer::valueOf).toList();
    TestCluster.node(args[0], Integer.parseInt(args[1]), ports)
        .onFailure(RemoteCrashChild::fail)
        .onSuccess(
            vertx -> {
              RemoteCrashChild child = new RemoteCrashChild(vertx);
              if (args[3].equals("owner")) {
                child.next = Long.parseLong(args[6]);
                child.to = Long.parseLong(args[7]);
                child.own(args[4], Integer.parseInt(args[5]));
              } else {
                child.consume();
              }
            });
  }

  /**
   * Prints {@code A number} for what is accepted, {@code N count} of consumers when it changes, and
   * {@code E} when nothing is left.
   */
  private void own(String directory, int awaited) {
    Weir weir =
        Weir.create(vertx, new WeirOptions().setDirectory(directory).setMinFreeBytes(1 << 20));
    weir.remote()
        .serve("numbers", new ServiceOptions().setMaxAttempts(1))
        .onFailure(RemoteCrashChild::fail)
        .onSuccess(
            service -> {
              print("S");
              vertx.runOnContext(
                  go -> {
                    vertx.setPeriodic(20, tick -> report(service));
                    vertx.setPeriodic(20, tick -> begin(weir, service, awaited, tick));
                  });
            });
  }

  /** Each consumer is to have its part of what is sent. */
  private void begin(Weir weir, Service service, int awaited, long tick) {
    if (service.remoteConsumers().size() < awaited) {
      return;
    }
    vertx.cancelTimer(tick);
    for (int i = 0; i < IN_FLIGHT; i++) {
      sendNext(weir);
    }
  }

  private void sendNext(Weir weir) {
    if (next == to) {
      return;
    }
    long number = next++;
    open++;
    weir.sendWithId("numbers", number, Durability.PROCESS, new DeliveryOptions(), "id-" + number)
        .onFailure(RemoteCrashChild::fail)
        .onSuccess(
            id -> {
              print("A " + number);
              open--;
              sendNext(weir);
            });
  }

  private void report(Service service) {
    int now = service.remoteConsumers().size();
    if (now != consumers) {
      consumers = now;
      print("N " + now);
    }
    ServiceStats stats = service.stats();
    if (next == to
        && open == 0
        && stats.waitingOnDisk() + stats.waitingInMemory() + stats.busyWorkers() == 0) {
      print("E " + stats.failed());
    }
  }

  /** Prints {@code H number deliveries} for what it handles, some ms before it answers. */
  private void consume() {
    Weir.create(vertx)
        .remote()
        .consume(
            "numbers",
            new RemoteConsumerOptions().setCredits(CREDITS).setLeaseMs(LEASE_MS),
            message -> {
              print("H " + message.body() + " " + message.deliveryCount());
              Promise<Void> done = Promise.promise();
              vertx.setTimer(5, timer -> done.complete());
              return done.future();
            })
        .onFailure(RemoteCrashChild::fail)
        .onSuccess(consumer -> print("C"));
  }

  private static void fail(Throwable failure) {
    print("X " + failure);
  }

  private static synchronized void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
