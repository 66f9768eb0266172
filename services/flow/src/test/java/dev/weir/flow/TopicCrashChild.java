package dev.weir.flow;

import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.List;

/**
 * The process that {@link TopicCrashTest} kills. Publishes numbers, each under an id of its own, to
 * a topic with two subscribers. Prints {@code A number} when one is accepted, and as the last child
 * {@code billing number} and {@code shipping number} when a subscriber gets one; the subscribers of
 * all others hold what they get.
 */
final class TopicCrashChild {
  private static final List<String> SUBSCRIBERS = List.of("billing", "shipping");
  private static final int IN_FLIGHT = 200;

  private final Vertx vertx = Vertx.vertx();
  private final Weir weir;
  private final long to;
  private final boolean handles;
  private long next;

  private TopicCrashChild(String directory, long from, long to) {
    this.weir =
        Weir.create(vertx, new WeirOptions().setDirectory(directory).setMinFreeBytes(1 << 20));
    this.next = from;
    this.handles = to > 0;
    this.to = handles ? to : Long.MAX_VALUE;
  }

  /**
   * @param args directory, the first number, and the number to end before; 0 for a child that goes
   *     on until it is killed
   */
  public static void main(String[] args) {
    new TopicCrashChild(args[0], Long.parseLong(args[1]), Long.parseLong(args[2])).start();
  }

  private void start() {
    Future.all(SUBSCRIBERS.stream().map(this::serve).toList())
        .compose(served -> weir.topic("t", new TopicOptions().setSubscribers(SUBSCRIBERS)))
        .onFailure(failure -> print("X " + failure))
        .onSuccess(
            topic ->
                vertx.runOnContext(
                    go -> {
                      for (int i = 0; i < IN_FLIGHT; i++) {
                        publishNext();
                      }
                    }));
  }

  private Future<Service> serve(String name) {
    ServiceOptions options = new ServiceOptions().setWorkers(1).setMaxAttempts(127);
    return weir.serve(
        Topic.subscriber("t", name),
        options,
        message -> {
          if (!handles) {
            return Promise.promise().future();
          }
          print(name + " " + message.body() + " " + message.id());
          return Future.succeededFuture();
        });
  }

  private void publishNext() {
    if (next == to) {
      return;
    }
    long number = next++;
    weir.sendWithId("t", number, Durability.PROCESS, new DeliveryOptions(), "id-" + number)
        .onFailure(failure -> print("X " + failure))
        .onSuccess(
            id -> {
              print("A " + number);
              publishNext();
            });
  }

  private static synchronized void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
