package dev.weir.flow;

import dev.weir.flow.impl.ServiceRegistry;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueSummary;
import dev.weir.queue.StoreStats;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import java.nio.file.Path;
import java.util.List;

/**
 * Services behind a manager and its workers on the event bus of one Vert.x. Bursts wait in memory,
 * then on disk, within limits; durable messages survive the process.
 *
 * <p>All methods may be called from any thread and do not block. Closing the Vert.x instance closes
 * its Weir; until either is closed the JVM does not end by itself. Any number of Weirs may live in
 * one JVM, each with a directory of its own.
 */
public final class Weir {
  private final WeirOptions options;
  private final ServiceRegistry services;
  private final RemoteServices remote;

  private Weir(Vertx vertx, WeirOptions options) {
    this.options = options;
    this.services = new ServiceRegistry(vertx, options);
    this.remote = new RemoteServices(vertx, services);
  }

  /**
   * A Weir for a Vert.x instance. Files are opened with the first service that needs them.
   *
   * @param options copied
   */
  public static Weir create(Vertx vertx, WeirOptions options) {
    return new Weir(
        Checks.notNull("vertx", vertx), new WeirOptions(Checks.notNull("options", options)));
  }

  /** A Weir without a directory: its services wait in memory only. */
  public static Weir create(Vertx vertx) {
    return create(vertx, new WeirOptions());
  }

  /**
   * Registers a codec with the event bus and for the disk tier. Codecs registered with the event
   * bus alone work as well, except for {@link #send} and for messages found on disk at the start. A
   * codec of the same class that the bus has under the same name already, such as that of another
   * Weir, stays.
   *
   * <p>A codec may bring another class than it sends. A message of such a codec that comes from
   * another node is refused, with {@link FlowFailure#BAD_REQUEST}, where it would have to wait on
   * disk.
   *
   * @throws IllegalStateException if the class or the name is registered with this Weir, or with
   *     the bus for another codec
   * @throws IllegalArgumentException if the name has more than 65,535 bytes
   */
  public <T> Weir registerCodec(Class<T> type, MessageCodec<T, ?> codec) {
    services.registerCodec(type, codec);
    return this;
  }

  /**
   * Starts a service. Its manager works on the caller's event loop, or on one of its own if the
   * caller is on none. What an earlier run left on disk is handled first.
   *
   * <p>A service that a verticle starts is closed when the verticle is undeployed. Further
   * instances of the same deployment join it: messages go to the handlers of all instances in turn,
   * each on the event loop of its instance.
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
    return Calls.answered(
        () -> {
          Calls.requireAddress(address);
          Checks.notNull("options", options).check();
          Checks.notNull("handler", handler);
          return services.serve(address, options, (ServiceHandler<Object>) handler);
        });
  }

  /**
   * Starts a service whose handler takes bodies of a class. A body of another class is taken for
   * JSON - as {@link io.vertx.core.json.JsonObject}, array, text or bytes - and mapped to it; what
   * cannot be mapped fails with {@link FlowFailure#BAD_REQUEST}, and as a durable message becomes a
   * dead letter at once. A reply for whose class the event bus has no codec is mapped to JSON.
   * Mapping needs jackson-databind on the class path, and runs where the handler does.
   *
   * @param address as for {@link #serve(String, ServiceOptions, ServiceHandler)}
   * @param type not null
   * @param options copied
   * @param handler gets null for a message without a body
   * @return as for {@link #serve(String, ServiceOptions, ServiceHandler)}
   */
  public <T> Future<Service> serve(
      String address, Class<T> type, ServiceOptions options, ServiceHandler<T> handler) {
    return Calls.answered(
        () -> {
          Checks.notNull("type", type);
          Checks.notNull("handler", handler);
          return serve(address, options, services.typed(type, handler));
        });
  }

  /**
   * Starts a service whose handler takes up to a number of messages at once: those that are started
   * in one turn of its event loop. With as many workers as messages in a batch one batch is handled
   * at a time, and what arrives meanwhile is the next one. Nothing waits for a batch to fill up.
   *
   * @param address as for {@link #serve(String, ServiceOptions, ServiceHandler)}
   * @param options copied; {@link ServiceOptions#setRunOn runOn} is {@link RunOn#EVENT_LOOP}. A
   *     handler that blocks does so by {@link Vertx#executeBlocking}.
   * @param maxMessages 1 or more
   * @param handler called on the event loop
   * @return as for {@link #serve(String, ServiceOptions, ServiceHandler)}
   */
  public <T> Future<Service> serveBatches(
      String address, ServiceOptions options, int maxMessages, BatchHandler<T> handler) {
    return Calls.answered(
        () -> {
          Checks.range("maxMessages", maxMessages, 1, Integer.MAX_VALUE);
          Checks.notNull("handler", handler);
          if (Checks.notNull("options", options).getRunOn() != RunOn.EVENT_LOOP) {
            throw Checks.notAllowed("runOn", options.getRunOn(), "EVENT_LOOP for a batch handler");
          }
          return serve(address, options, services.batching(maxMessages, handler));
        });
  }

  /**
   * Opens a topic: what is sent durably to its address goes to the queue of every subscriber. Their
   * services are served as any others, at {@link Topic#subscriber}, before or after this.
   *
   * @param address not blank; neither a topic nor a service of this Weir has it
   * @param options copied; at least one subscriber
   * @return fails with {@link IllegalArgumentException} or {@link IllegalStateException} for a
   *     user's mistake
   */
  public Future<Topic> topic(String address, TopicOptions options) {
    return Calls.answered(
        () -> {
          Calls.requireAddress(address);
          if (Checks.notNull("options", options).getSubscribers().isEmpty()) {
            throw new IllegalArgumentException("subscribers is empty, allowed is at least one");
          }
          return services.topic(address, options.getSubscribers());
        });
  }

  /** Services whose messages are handled elsewhere, and the handlers of such services. */
  public RemoteServices remote() {
    return remote;
  }

  /**
   * Sets who is told of services that come and go, and of their messages, in place of the observer
   * of the last call; null for nobody. Those of {@link #addObserver} stay.
   */
  public Weir setObserver(WeirObserver observer) {
    services.setObserver(observer);
    return this;
  }

  /** Adds an observer, not null, which is told of the services that run already now, too. */
  public void addObserver(WeirObserver observer) {
    services.addObserver(Checks.notNull("observer", observer));
  }

  /** Takes an observer away; does nothing if there is no such one. */
  public void removeObserver(WeirObserver observer) {
    services.removeObserver(observer);
  }

  /** Addresses of services that are being opened: what an earlier run left is looked for. */
  public List<String> opening() {
    return services.opening();
  }

  /** True from the first call of {@link #close()} on. */
  public boolean isClosing() {
    return services.isClosing();
  }

  /**
   * Figures of the data directory; null before the first service with a disk tier is opened. Asks
   * the file system: not to be called on an event loop.
   */
  public StoreStats storeStats() {
    return services.storeStats();
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
   *     bus if nobody serves the address; for a user's mistake, such as a body without a codec,
   *     with {@link IllegalArgumentException}
   */
  public Future<Void> send(
      String address, Object body, Durability durability, DeliveryOptions options) {
    return Calls.answered(
        () -> {
          requireDurable(durability);
          return services.send(address, body, durability, options);
        });
  }

  /**
   * Sends as {@link #send(String, Object, Durability, DeliveryOptions)} does, and names the
   * message. A message whose id the service {@linkplain ServiceOptions#setDedupMaxIds remembers} is
   * not added again: the send completes with the first one, also after a restart. The body is not
   * compared.
   *
   * @param id 1 to {@value dev.weir.queue.MessageOptions#MAX_TEXT_CHARS} characters; null for one
   *     by the message's place in the queue, which is never used twice
   * @return the {@link ServiceMessage#id()} the handler will see; fails as {@code send} does, and
   *     with {@link IllegalArgumentException} if the id is empty or too long
   */
  public Future<String> sendWithId(
      String address, Object body, Durability durability, DeliveryOptions options, String id) {
    return sendWithId(address, body, durability, options, id, null);
  }

  /**
   * Sends as {@link #sendWithId(String, Object, Durability, DeliveryOptions, String)} does, and
   * refuses an id that is remembered for another message.
   *
   * @param fingerprint stands for the content, such as a hash; up to {@value
   *     dev.weir.queue.MessageOptions#MAX_FINGERPRINT_CHARS} characters. Null for none, which
   *     equals any other.
   * @return fails with {@link FlowFailure#ID_REUSED} if the id is remembered with another
   *     fingerprint, with {@link IllegalArgumentException} if the id or the fingerprint is empty or
   *     too long
   */
  public Future<String> sendWithId(
      String address,
      Object body,
      Durability durability,
      DeliveryOptions options,
      String id,
      String fingerprint) {
    return Calls.answered(
        () ->
            send(
                address,
                body,
                durability,
                options,
                MessageOptions.NONE.withId(id).withFingerprint(fingerprint)));
  }

  /**
   * Sends as {@link #sendWithId(String, Object, Durability, DeliveryOptions, String, String)} does,
   * with a key, a delay or an expiry too. Headers may say these as well: {@link
   * ServiceMessage#KEY}, {@link ServiceMessage#DELAY_MS}, {@link ServiceMessage#EXPIRES_IN_MS};
   * {@code message} wins. Only headers say {@link ServiceMessage#PRIORITY} and {@link
   * ServiceMessage#MAX_ATTEMPTS}.
   *
   * @param message {@link MessageOptions#NONE} for none, not null; times are of this node's clock
   * @return the {@link ServiceMessage#id()} the handler will see; fails as {@code sendWithId} does,
   *     and with {@link FlowFailure#BAD_REQUEST} if a header has a bad value
   */
  public Future<String> send(
      String address,
      Object body,
      Durability durability,
      DeliveryOptions options,
      MessageOptions message) {
    return Calls.answered(
        () -> {
          requireDurable(durability);
          return services.sendWithId(
              address, body, durability, options, Checks.notNull("message", message));
        });
  }

  /**
   * Sends a request over the event bus as {@code eventBus().request} does, and lets the service
   * know how long this requester waits: see {@link ServiceMessage#TIMEOUT_MS}. With a tracer the
   * span of the request ends with the reply on any thread, also on that of a {@link RunOn#WORKER}.
   *
   * @param body as for the event bus
   * @param options not changed
   * @return fails as a request of the event bus does, and with {@link IllegalArgumentException} for
   *     a body without a codec
   */
  public <T> Future<Message<T>> request(String address, Object body, DeliveryOptions options) {
    return Calls.answered(() -> services.request(address, body, options));
  }

  private static void requireDurable(Durability durability) {
    if (durability == Durability.NONE) {
      throw new IllegalArgumentException("durability is NONE, allowed is PROCESS or MACHINE");
    }
  }

  /** The heap that this node may use, and the shares of it that are in use. */
  public HeapBudget heap() {
    return services.heap();
  }

  /**
   * Copies the data directory while it is in use, as {@link dev.weir.queue.QueueStore#backup} does:
   * the copy holds everything that was durable before the call, and is complete or is not there. To
   * use the copy, open it with another Weir, or restore it with the queue tool.
   *
   * @param target a new or empty directory
   * @return bytes copied; fails with a {@link dev.weir.queue.QueueException}, or with an {@link
   *     IllegalStateException} if another backup runs or no service has a disk tier
   */
  public Future<Long> backup(Path target) {
    return services.backup(Checks.notNull("target", target));
  }

  /** How far the backup has come that runs, or has run last; null before the first. */
  public BackupStatus backupStatus() {
    return services.backupStatus();
  }

  /**
   * What the queues of the data directory hold that no service has open: those of services that are
   * gone, or have other names now. Counts by keys.
   *
   * @return by name; empty before the first service with a disk tier is opened
   */
  public Future<List<QueueSummary>> unservedQueues() {
    return services.unservedQueues();
  }

  /**
   * Deletes a queue that no service has open, with its messages and dead letters, forced to the
   * device.
   *
   * @param address of the service that the queue was made for, not null
   * @return what was there; fails with an {@link IllegalStateException} if the address is served
   *     with a disk tier, with an {@link IllegalArgumentException} if there is no such queue, or
   *     with a {@link dev.weir.queue.QueueException}
   */
  public Future<QueueSummary> deleteQueue(String address) {
    return services.deleteQueue(Checks.notNull("address", address));
  }

  /** The options it was made with; changes have no effect. */
  public WeirOptions options() {
    return new WeirOptions(options);
  }

  /** The services that run now, by address. */
  public List<Service> services() {
    return services.open();
  }

  /** The service that runs at an address now, or null. */
  public Service service(String address) {
    return services.open(address);
  }

  /**
   * Closes all consumers and services, each with its own time to drain, and the files. The future
   * completes when all is closed; a second call gives the same one.
   */
  public Future<Void> close() {
    Future<Void> consumersClosed = remote.close();
    Future<Void> servicesClosed = services.close();
    return consumersClosed.compose(ignored -> servicesClosed);
  }
}
