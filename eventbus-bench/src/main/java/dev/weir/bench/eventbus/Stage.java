package dev.weir.bench.eventbus;

import dev.weir.bench.RunContext;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.metrics.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The system under test: one Vert.x with its Weir, the event loop of the sender, and a data
 * directory. All methods block the calling thread, which is none of Vert.x's.
 */
final class Stage implements AutoCloseable {
  private static final long PATIENCE_S = 60;
  private static final int MAX_EVENT_LOOPS = 4;

  private final Path directory;
  private final boolean temporary;
  private final VertxInternal vertx;
  private final Weir weir;
  private final ContextInternal sender;

  private Stage(Path directory, boolean temporary, VertxBuilder builder) {
    this.directory = directory;
    this.temporary = temporary;
    this.vertx = (VertxInternal) builder.build();
    this.weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
    this.sender = vertx.createEventLoopContext();
    ParcelCodec codec = new ParcelCodec();
    weir.registerCodec(Parcel.class, codec);
  }

  /** A stage whose data lies in the directory of the results, on the same disk. */
  static Stage open(RunContext context) throws IOException {
    return new Stage(temporary(context), true, Vertx.builder().with(options()));
  }

  /** The same with the metrics of Vert.x and of the Weir, which are closed by the caller. */
  static Stage open(RunContext context, Metrics metrics) throws IOException {
    Stage stage = new Stage(temporary(context), true, metrics.vertx(options()));
    metrics.bind(stage.weir);
    return stage;
  }

  private static Path temporary(RunContext context) throws IOException {
    return Files.createTempDirectory(context.outputDir(), "data-");
  }

  private static VertxOptions options() {
    return new VertxOptions().setEventLoopPoolSize(MAX_EVENT_LOOPS);
  }

  /** A stage whose data lies in a directory that somebody else removes. */
  static Stage in(Path directory) {
    return new Stage(directory, false, Vertx.builder().with(options()));
  }

  /** Where the data lies; others may put files there too. */
  Path directory() {
    return directory;
  }

  Weir weir() {
    return weir;
  }

  Vertx vertx() {
    return vertx;
  }

  EventBus bus() {
    return vertx.eventBus();
  }

  /** The event loop that sends. */
  ContextInternal sender() {
    return sender;
  }

  /** A context of the sender's event loop, or with 2 loops of another one. */
  ContextInternal receiver(int loops) {
    return loops == 1 ? sender : elsewhere(sender);
  }

  /** A context on another event loop than the given one. */
  ContextInternal elsewhere(ContextInternal than) {
    for (int i = 0; i < MAX_EVENT_LOOPS; i++) {
      ContextInternal other = vertx.createEventLoopContext();
      if (other.nettyEventLoop() != than.nettyEventLoop()) {
        return other;
      }
    }
    throw new IllegalStateException("there is only one event loop");
  }

  /** Runs tasks on the event loop of the context, with that context as the current one. */
  static Executor on(ContextInternal context) {
    return task -> context.runOnContext(ignored -> task.run());
  }

  /** Starts a service whose manager and handler run on the context. */
  <T> Service serve(
      ContextInternal context, String address, ServiceOptions options, ServiceHandler<T> handler)
      throws InterruptedException {
    return await(call(context, () -> weir.serve(address, options, handler)));
  }

  /** Starts a plain consumer of the event bus on the context. */
  <T> void consume(ContextInternal context, String address, Handler<Message<T>> handler)
      throws InterruptedException {
    await(call(context, () -> bus().<T>consumer(address, handler).completion()));
  }

  /** Calls it on the event loop of the context, with that context as the current one. */
  static <V> Future<V> call(ContextInternal context, Supplier<Future<V>> action) {
    Promise<V> promise = Promise.promise();
    context.runOnContext(ignored -> action.get().onComplete(promise));
    return promise.future();
  }

  /** The result, or what it failed with as the cause of an {@link IllegalStateException}. */
  static <V> V await(Future<V> future) throws InterruptedException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("no answer within " + PATIENCE_S + " s", e);
    }
  }

  /**
   * Closes everything and removes what {@link #open} created; cut short when the thread is
   * interrupted.
   */
  @Override
  public void close() throws IOException {
    try {
      await(weir.close());
      await(vertx.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (temporary) {
        delete(directory);
      }
    }
  }

  /** Removes a directory with all that is in it. */
  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
