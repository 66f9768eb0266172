package dev.weir.flow;

import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueStore;
import dev.weir.queue.StoreStats;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongFunction;

/**
 * Services behind a manager and its workers on the event bus of one Vert.x. Bursts wait in memory,
 * then on disk, within limits; durable messages survive the process.
 *
 * <p>All methods may be called from any thread and do not block. Closing the Vert.x instance closes
 * its Weir; until either is closed the JVM does not end by itself. Any number of Weirs may live in
 * one JVM, each with a directory of its own.
 */
public final class Weir {
  private final VertxInternal vertx;
  private final WeirOptions options;
  private final Bodies bodies = new Bodies();
  private final Outbox outbox = new Outbox();
  private final Map<String, Manager> managers = new ConcurrentHashMap<>();
  private final ExecutorService blocking =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "weir-blocking"));
  private final Closeable closeHook = this::close;
  private volatile QueueStore store;
  private volatile Future<Void> closed;
  private WeirObserver observer;

  private Weir(VertxInternal vertx, WeirOptions options) {
    this.vertx = vertx;
    this.options = options;
  }

  /**
   * A Weir for a Vert.x instance. Files are opened with the first service that needs them.
   *
   * @param vertx not null
   * @param options copied
   */
  public static Weir create(Vertx vertx, WeirOptions options) {
    Weir weir =
        new Weir(
            (VertxInternal) OptionReader.notNull("vertx", vertx),
            new WeirOptions(OptionReader.notNull("options", options)));
    weir.vertx.addCloseHook(weir.closeHook);
    return weir;
  }

  /** A Weir without a directory: its services wait in memory only. */
  public static Weir create(Vertx vertx) {
    return create(vertx, new WeirOptions());
  }

  /**
   * Registers a codec with the event bus and for the disk tier. Codecs registered with the event
   * bus alone work as well, except for {@link #send} and for messages found on disk at the start.
   *
   * @throws IllegalStateException if the class or the codec's name is registered already
   */
  public <T> Weir registerCodec(Class<T> type, MessageCodec<T, ?> codec) {
    vertx.eventBus().registerDefaultCodec(type, codec);
    bodies.register(type, codec);
    return this;
  }

  /**
   * Starts a service. Its manager works on the caller's event loop, or on one of its own if the
   * caller is on none. What an earlier run left on disk is handled first.
   *
   * @param address not blank; one service of an address per Weir
   * @param options copied
   * @param handler called as {@link ServiceOptions#getRunOn()} says
   * @return fails with {@link dev.weir.queue.QueueException} if the directory cannot be used, with
   *     {@link IllegalArgumentException} or {@link IllegalStateException} for a user's mistake
   */
  @SuppressWarnings("unchecked")
  public <T> Future<Service> serve(
      String address, ServiceOptions options, ServiceHandler<T> handler) {
    Manager manager;
    ContextInternal context = eventLoopContext();
    try {
      if (OptionReader.notNull("address", address).isBlank()) {
        throw new IllegalArgumentException("address is blank, allowed is any other text");
      }
      OptionReader.notNull("options", options);
      OptionReader.notNull("handler", handler);
      manager =
          new Manager(
              this,
              context,
              address,
              options,
              (ServiceHandler<Object>) handler,
              hasDiskTier(options));
      enlist(manager);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
    Future<DurableQueue<Envelope>> queue =
        hasDiskTier(options)
            ? blockingCall(() -> openQueue(address, options))
            : Future.succeededFuture();
    return queue
        .compose(
            opened ->
                onContext(context, () -> manager.open(opened))
                    .recover(
                        failure ->
                            (opened == null ? Future.succeededFuture() : blocking(opened::close))
                                .transform(closed -> Future.failedFuture(failure))))
        .map((Service) manager)
        .onFailure(failure -> forget(manager));
  }

  private synchronized void enlist(Manager manager) {
    if (closed != null) {
      throw new IllegalStateException("this Weir is closed");
    }
    if (managers.putIfAbsent(manager.address(), manager) != null) {
      throw new IllegalStateException("address " + manager.address() + " is served already");
    }
  }

  private boolean hasDiskTier(ServiceOptions service) {
    return options.getDirectory() != null && service.getDiskBytes() > 0;
  }

  private DurableQueue<Envelope> openQueue(String address, ServiceOptions service) {
    if (store == null) {
      store = QueueStore.open(options.toStoreOptions());
    }
    return store.queue(address, new EnvelopeSerde(bodies), service.toQueueOptions(), Manager::lost);
  }

  /**
   * Sets who is told of services that come and go, and of their messages.
   *
   * @param observer told of the services that run already during the call; null for nobody
   */
  public synchronized Weir setObserver(WeirObserver observer) {
    this.observer = observer;
    managers.values().stream()
        .filter(Manager::isOpen)
        .forEach(manager -> manager.observe(observer == null ? null : observer.opened(manager)));
    return this;
  }

  /** A service is about to take messages; on its event loop. */
  synchronized void opened(Manager manager) {
    manager.setOpen();
    if (observer != null) {
      manager.observe(observer.opened(manager));
    }
  }

  /** Addresses of services that are being opened: what an earlier run left is looked for. */
  public List<String> opening() {
    return managers.values().stream()
        .filter(manager -> !manager.isOpen())
        .map(Manager::address)
        .sorted()
        .toList();
  }

  /** True from the first call of {@link #close()} on. */
  public boolean isClosing() {
    return closed != null;
  }

  /**
   * Figures of the data directory. Asks the file system: not to be called on an event loop.
   *
   * @return null before the first service with a disk tier is opened
   */
  public StoreStats storeStats() {
    QueueStore open = store;
    return open == null ? null : open.stats();
  }

  private ContextInternal eventLoopContext() {
    ContextInternal current = ContextInternal.current();
    return current != null && current.owner() == vertx && current.isEventLoopContext()
        ? current.unwrap()
        : vertx.createEventLoopContext();
  }

  private static <V> Future<V> onContext(
      ContextInternal context, java.util.function.Supplier<Future<V>> action) {
    Promise<V> promise = context.promise();
    context.runOnContext(
        ignored -> {
          try {
            action.get().onComplete(promise);
          } catch (RuntimeException e) {
            promise.tryFail(e);
          }
        });
    return promise.future();
  }

  /**
   * Sends durably with no headers; see {@link #send(String, Object, Durability, DeliveryOptions)}.
   */
  public Future<Void> send(String address, Object body, Durability durability) {
    return send(address, body, durability, new DeliveryOptions());
  }

  /**
   * Sends a one-way message that is kept until its service has handled it. A service of this Weir
   * is reached directly; any other over the bus, by a request that times out as {@code options}
   * say, and whose outcome is then unknown.
   *
   * <p>Durable sends of one sender to one service keep their order; they are not ordered against
   * messages sent over the bus.
   *
   * @param address the service's address
   * @param body as for the event bus; a mutable body may be changed again when this returns
   * @param durability {@link Durability#PROCESS} or {@link Durability#MACHINE}
   * @param options headers, codec name and timeout
   * @return completes when the message can no longer be lost as asked; fails with a {@link
   *     io.vertx.core.eventbus.ReplyException} whose code is a {@link FlowFailure}, or that of the
   *     bus if nobody serves the address
   */
  public Future<Void> send(
      String address, Object body, Durability durability, DeliveryOptions options) {
    Manager manager = openManager(address, durability);
    return manager == null
        ? DurableEntry.send(vertx.eventBus(), address, body, durability, options, null).mapEmpty()
        : append(manager, body, durability, options, null, sequence -> null);
  }

  /**
   * Sends as {@link #send(String, Object, Durability, DeliveryOptions)} does, and names the
   * message. A message whose id the service {@linkplain ServiceOptions#setDedupMaxIds remembers} is
   * not added again: the send completes with the first one, also after a restart. The body is not
   * compared.
   *
   * @param id 1 to {@value dev.weir.queue.MessageOptions#MAX_TEXT_CHARS} characters; null for one
   *     by the message's place in the queue, which is never used twice
   * @return the {@link ServiceMessage#id()} the handler will see
   * @throws IllegalArgumentException if the id is empty or too long
   */
  public Future<String> sendWithId(
      String address, Object body, Durability durability, DeliveryOptions options, String id) {
    MessageOptions.NONE.withId(id);
    Manager manager = openManager(address, durability);
    return manager == null
        ? DurableEntry.send(vertx.eventBus(), address, body, durability, options, id)
        : append(manager, body, durability, options, id, manager.naming(id));
  }

  private Manager openManager(String address, Durability durability) {
    if (durability == Durability.NONE) {
      throw new IllegalArgumentException("durability is NONE, allowed is PROCESS or MACHINE");
    }
    return running(address);
  }

  private <T> Future<T> append(
      Manager manager,
      Object body,
      Durability durability,
      DeliveryOptions options,
      String id,
      LongFunction<T> result) {
    MessageCodec<Object, Object> codec = bodies.codecFor(body, options.getCodecName());
    Outbox.Ticket<T> ticket = outbox.ticket(vertx.getOrCreateContext(), result);
    manager.append(codec, options.getHeaders(), codec.transform(body), durability, id, ticket);
    return ticket.future();
  }

  /** The options it was made with; changes have no effect. */
  public WeirOptions options() {
    return new WeirOptions(options);
  }

  /** The services that run now, by address. */
  public List<Service> services() {
    return managers.values().stream()
        .filter(Manager::isOpen)
        .sorted(Comparator.comparing(Manager::address))
        .map(Service.class::cast)
        .toList();
  }

  /** The service that runs at an address now, or null. */
  public Service service(String address) {
    return running(address);
  }

  private Manager running(String address) {
    Manager manager = managers.get(address);
    return manager != null && manager.isOpen() ? manager : null;
  }

  /**
   * Closes all services, each with its own time to drain, and the files.
   *
   * @return completes when all is closed; a second call gives the same result
   */
  public synchronized Future<Void> close() {
    if (closed == null) {
      List<Future<Void>> closing = managers.values().stream().map(Manager::close).toList();
      closed =
          Future.join(closing)
              .eventually(() -> blocking(this::closeStore))
              .eventually(
                  () -> {
                    vertx.removeCloseHook(closeHook);
                    blocking.shutdown();
                    return Future.succeededFuture();
                  })
              .mapEmpty();
    }
    return closed;
  }

  private void close(Completable<Void> completion) {
    close().onComplete(completion);
  }

  private void closeStore() {
    if (store != null) {
      store.close();
    }
  }

  /** Runs what waits for the disk on a thread that nobody interrupts. */
  Future<Void> blocking(Runnable action) {
    return blockingCall(
        () -> {
          action.run();
          return null;
        });
  }

  private <V> Future<V> blockingCall(java.util.function.Supplier<V> action) {
    Promise<V> promise = Promise.promise();
    blocking.execute(
        () -> {
          V result;
          try {
            result = action.get();
          } catch (RuntimeException e) {
            promise.fail(e);
            return;
          }
          promise.complete(result);
        });
    return promise.future();
  }

  VertxInternal vertx() {
    return vertx;
  }

  Bodies bodies() {
    return bodies;
  }

  Outbox outbox() {
    return outbox;
  }

  synchronized void forget(Manager manager) {
    if (managers.remove(manager.address(), manager) && manager.isOpen() && observer != null) {
      observer.closed(manager);
    }
  }
}
