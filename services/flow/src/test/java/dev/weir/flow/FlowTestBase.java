package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Vert.x and a Weir for each test, closed after it; fails if threads of ours are left. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
abstract class FlowTestBase {
  @TempDir Path directory;
  Vertx vertx;
  private final List<Weir> weirs = new ArrayList<>();

  @BeforeEach
  void startVertx() {
    vertx = Vertx.vertx();
  }

  @AfterEach
  void closeAll() {
    for (Weir weir : weirs) {
      Futures.result("weir closes", weir.close());
    }
    closeVertx();
    Await.until("no thread of a Weir is left", () -> weirThreads().isEmpty());
  }

  /** Is called when all Weirs are closed. */
  void closeVertx() {
    Futures.result("vert.x closes", vertx.close());
  }

  /** To be called behind {@link #closeAll} by a test that goes on with a new Vert.x. */
  final void weirsAreClosed() {
    weirs.clear();
  }

  private static List<String> weirThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-"))
        .toList();
  }

  Weir weir() {
    return weir(new WeirOptions().setDirectory(directory.toString()));
  }

  Weir weir(WeirOptions options) {
    Weir weir = Weir.create(vertx, options);
    weirs.add(weir);
    return weir;
  }

  <T> Service serve(Weir weir, String address, ServiceOptions options, ServiceHandler<T> handler) {
    return Futures.result("serving " + address, weir.serve(address, options, handler));
  }

  static ServiceOptions memoryOnly() {
    return new ServiceOptions().setDiskBytes(0);
  }

  /** One worker, no memory tier: all that waits is on disk. */
  static ServiceOptions diskOnly() {
    return new ServiceOptions().setWorkers(1).setMemoryMessages(0);
  }

  static void assertFailure(Throwable cause, FlowFailure failure) {
    assertThat(cause).isInstanceOf(ReplyException.class);
    assertThat(((ReplyException) cause).failureCode()).isEqualTo(failure.code());
  }

  /** A handler that holds what it gets until it is told to go on. */
  static final class Gate {
    record Held(ServiceMessage<Object> message, Promise<Object> reply) {}

    final Queue<Held> held = new ConcurrentLinkedQueue<>();
    final List<Object> bodies = java.util.Collections.synchronizedList(new ArrayList<>());

    io.vertx.core.Future<?> handle(ServiceMessage<Object> message) {
      bodies.add(message.body());
      Promise<Object> reply = Promise.promise();
      held.add(new Held(message, reply));
      return reply.future();
    }

    /** Lets the oldest held message go with its body as the reply. */
    void open() {
      Held next = held.poll();
      next.reply.complete(next.message.body());
    }

    /** Lets those go that are held now; what comes meanwhile is held. */
    void openAll() {
      for (int left = held.size(); left > 0; left--) {
        open();
      }
    }
  }
}
