package dev.weir.state;

import dev.weir.flow.vertx.Contexts;
import dev.weir.options.ByteBudget;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import dev.weir.options.OptionTypes;
import dev.weir.queue.store.UninterruptibleThread;
import dev.weir.state.call.BusActions;
import dev.weir.state.call.FactoryCalls;
import dev.weir.state.call.ServedFactory;
import dev.weir.state.engine.Engine;
import dev.weir.state.engine.FactoryCore;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store of documents on one node: factories of JSON documents in one directory.
 *
 * <p>All methods may be called from any thread and do not block. Closing the Vert.x instance closes
 * its stores; until then the JVM does not end by itself. Any number of stores may live in one JVM,
 * each with a directory of its own.
 */
public final class Documents {
  /** No factory: over HTTP it is the description of the routes. */
  private static final String DESCRIPTION = "openapi.json";

  private final Vertx vertx;
  private final Context context;
  private final DocumentsOptions options;
  private final Engine engine;
  private final Map<String, MessageConsumer<?>> consumers = new ConcurrentHashMap<>();
  private final Map<String, ServedFactory> factories = new ConcurrentHashMap<>();
  private final Closeable closeHook = this::close;

  /** Null before the first call of close. */
  private Future<Void> closed;

  private Documents(Vertx vertx, Context context, DocumentsOptions options, Engine engine) {
    this.vertx = vertx;
    this.context = context;
    this.options = options;
    this.engine = engine;
    Contexts.addCloseHook(vertx, closeHook);
  }

  /**
   * Opens a directory, which is created if it is absent.
   *
   * @param vertx not null
   * @param options copied
   * @return fails with {@link DocumentException} if the directory cannot be used or is in use
   */
  public static Future<Documents> open(Vertx vertx, DocumentsOptions options) {
    return start(vertx, options, null);
  }

  /**
   * Opens a directory, and draws on the heap of a node.
   *
   * @param vertx not null
   * @param options copied
   * @param heap that of a {@code Weir} whose options give documents a part of it
   * @return fails as {@link #open(Vertx, DocumentsOptions)} does, and with {@link
   *     IllegalArgumentException} if the node gives documents nothing
   */
  public static Future<Documents> open(Vertx vertx, DocumentsOptions options, HeapBudget heap) {
    return start(vertx, options, Checks.notNull("heap", heap));
  }

  private static Future<Documents> start(Vertx vertx, DocumentsOptions options, HeapBudget heap) {
    Checks.notNull("vertx", vertx);
    DocumentsOptions copy = new DocumentsOptions(Checks.notNull("options", options));
    Context context = Contexts.newEventLoop(vertx);
    return onThread(vertx, "weir-documents-open", () -> new Engine(copy, heap))
        .map(engine -> new Documents(vertx, context, copy, engine));
  }

  /** Opens a factory without code of its own. */
  public Future<DocumentFactory> factory(String name, FactoryOptions options) {
    return factory(name, options, new FactoryRules());
  }

  /**
   * Opens a factory: what the directory has of it, or an empty one. It is reached by the result,
   * and on the event bus at {@link BusHeaders#addressOf}.
   *
   * @param name 1 to 64 letters, digits, dots, dashes and underscores, the first a letter or digit;
   *     not {@value #DESCRIPTION}
   * @param options copied
   * @param rules copied
   * @return fails with {@link IllegalStateException} if it is open already or the store is closed,
   *     with {@link IllegalArgumentException} for a bad name
   */
  public Future<DocumentFactory> factory(String name, FactoryOptions options, FactoryRules rules) {
    try {
      checkName(name);
      requireOpen();
      FactoryOptions ownOptions = new FactoryOptions(Checks.notNull("options", options));
      FactoryRules ownRules = new FactoryRules(Checks.notNull("rules", rules));
      return onThread(
              vertx, "weir-documents-open", () -> engine.openFactory(name, ownOptions, ownRules))
          .compose(this::listen);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private synchronized void requireOpen() {
    if (closed != null) {
      throw new IllegalStateException("the store is closed");
    }
  }

  private static void checkName(String name) {
    OptionTypes.name("factory", name);
    if (name.equals(DESCRIPTION)) {
      throw Checks.notAllowed(
          "factory", name, "another name: /documents/" + DESCRIPTION + " describes the routes");
    }
  }

  private Future<DocumentFactory> listen(FactoryCore core) {
    return listen(new FactoryCalls(engine, core, context));
  }

  private synchronized Future<DocumentFactory> listen(ServedFactory factory) {
    requireOpen();
    BusActions actions = new BusActions(factory);
    MessageConsumer<Object> consumer =
        vertx.eventBus().consumer(BusHeaders.addressOf(factory.name()), actions::handle);
    consumers.put(factory.name(), consumer);
    factories.put(factory.name(), factory);
    return consumer.completion().map(factory);
  }

  /**
   * Serves a factory whose documents are elsewhere in this process, as {@link #factory(String,
   * FactoryOptions)} serves one of this store: on the event bus, over HTTP, and by {@link #find}.
   * For weir-group, whose {@code ReplicatedFactories} is the way to get one.
   *
   * @param heapBytes taken from {@link DocumentsOptions#setMemoryBytes} until the store is closed
   * @return fails with {@link IllegalStateException} if the name is taken, with {@link
   *     IllegalArgumentException} for a bad name, with {@link DocumentFailure#MEMORY_FULL} if there
   *     is not so much heap
   */
  public Future<DocumentFactory> serve(ServedFactory factory, long heapBytes) {
    try {
      checkName(Checks.notNull("factory", factory).name());
      requireOpen();
      engine.addOther(factory.name(), heapBytes);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    return listen(factory);
  }

  /** An open factory; null if there is none of that name. */
  public DocumentFactory find(String name) {
    return factories.get(name);
  }

  /** The factories that are open, by name. */
  public List<DocumentFactory> factories() {
    return factories.values().stream()
        .sorted(Comparator.comparing(DocumentFactory::name))
        .map(DocumentFactory.class::cast)
        .toList();
  }

  ServedFactory calls(String name) {
    return factories.get(name);
  }

  ByteBudget inFlightBudget() {
    return engine.inFlight();
  }

  ByteBudget outgrownBudget() {
    return engine.outgrown();
  }

  /** The options, copied. */
  public DocumentsOptions options() {
    return new DocumentsOptions(options);
  }

  /** Figures of the store. */
  public DocumentsStats stats() {
    return engine.stats();
  }

  private void close(Completable<Void> completion) {
    close().onComplete(completion);
  }

  /**
   * Takes no more operations, ends those under way, commits, and closes the directory. Operations
   * that come later fail with {@link DocumentFailure#CLOSED}.
   */
  public synchronized Future<Void> close() {
    if (closed == null) {
      Future<?> silent =
          Future.join(consumers.values().stream().map(MessageConsumer::unregister).toList());
      closed =
          silent
              .eventually(
                  () ->
                      onThread(
                          vertx,
                          "weir-documents-close",
                          () -> {
                            engine.close();
                            return null;
                          }))
              .onComplete(done -> Contexts.removeCloseHook(vertx, closeHook))
              .mapEmpty();
    }
    return closed;
  }

  /** Runs what blocks on a thread that nobody can interrupt. */
  private static <T> Future<T> onThread(Vertx vertx, String name, Callable<T> work) {
    Promise<T> promise = Contexts.promise(vertx.getOrCreateContext());
    UninterruptibleThread thread =
        new UninterruptibleThread(
            () -> {
              try {
                promise.complete(work.call());
              } catch (Exception | Error e) {
                promise.fail(e);
              }
            },
            name);
    // The JVM does not end meanwhile; afterwards the event loop that has the result keeps it alive.
    thread.setDaemon(false);
    thread.start();
    return promise.future();
  }
}
