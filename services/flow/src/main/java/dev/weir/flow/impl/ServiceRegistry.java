package dev.weir.flow.impl;

import dev.weir.flow.BackupStatus;
import dev.weir.flow.BatchHandler;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Topic;
import dev.weir.flow.WeirObserver;
import dev.weir.flow.WeirOptions;
import dev.weir.flow.vertx.Contexts;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueSummary;
import dev.weir.queue.StoreStats;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The services of one Weir by address, and what they share. Any thread; no method blocks. */
public final class ServiceRegistry {
  private final Vertx vertx;
  private final Bodies bodies = new Bodies();

  /** Null without a tracer. */
  private final Tracing tracing;

  private final SendCompletions completions = new SendCompletions();
  private final Map<String, ManagedService> services = new ConcurrentHashMap<>();
  private final Map<String, OpenTopic> topics = new ConcurrentHashMap<>();
  private final HeapBudget heap;
  private final DiskTier disk;
  private final Closeable closeHook = this::close;

  /** Null before the first call of close. */
  private volatile Future<Void> closed;

  private final Observers observers = new Observers();

  public ServiceRegistry(Vertx vertx, WeirOptions options) {
    this.vertx = vertx;
    this.tracing = Tracing.of(vertx);
    this.heap = HeapBudget.of(options.getHeapBytes(), options.getDocumentsPercent());
    this.disk = new DiskTier(options, bodies, heap);
    Contexts.addCloseHook(vertx, closeHook);
  }

  public <T> void registerCodec(Class<T> type, MessageCodec<T, ?> codec) {
    bodies.register(vertx.eventBus(), type, codec);
  }

  /**
   * Opens a service on the caller's event loop, or on a new one if the caller is on none. Called by
   * a verticle, it ties the service to the deployment. Called by a further instance of the same
   * deployment, it adds the instance's handler to the service.
   *
   * @throws IllegalStateException if the address is served already, or after {@link #close()}
   */
  public Future<Service> serve(
      String address, ServiceOptions options, ServiceHandler<Object> handler) {
    Context caller = Contexts.caller(vertx);
    Context context =
        caller != null && caller.isEventLoopContext() ? caller : Contexts.newEventLoop(vertx);
    CreditHandler credited = handler instanceof CreditHandler credits ? credits : null;
    if (credited != null && options.getPriorities() > 1) {
      throw Checks.notAllowed(
          "priorities", options.getPriorities(), "1 for a service of consumers elsewhere");
    }
    String deploymentId = caller == null ? null : caller.deploymentID();
    List<ManagedService> levels =
        IntStream.range(0, options.getPriorities())
            .mapToObj(priority -> PriorityLevels.address(address, priority))
            .map(each -> new ManagedService(this, context, deploymentId, each, options, handler))
            .toList();
    if (levels.size() > 1) {
      PriorityLevels.join(levels, options.getWorkers());
    }
    List<ManagedService> serving = addOrFind(levels);
    boolean isFirst = serving.get(0) == levels.get(0);
    for (ManagedService service : serving) {
      if (isFirst || credited == null) {
        service.addInstance(context, handler);
      }
    }
    serving.get(0).closeWith(caller);
    return isFirst ? open(levels) : serving.get(0).opened();
  }

  /** The highest priority first: when the lowest one takes messages, all do. */
  private Future<Service> open(List<ManagedService> levels) {
    Future<Service> opened = Future.succeededFuture();
    for (int i = levels.size() - 1; i >= 0; i--) {
      ManagedService service = levels.get(i);
      opened = opened.compose(done -> service.open());
    }
    return opened.recover(failure -> forgotten(levels, failure));
  }

  /**
   * Opens a topic; called by a verticle, it ties the topic to the deployment.
   *
   * @throws IllegalStateException if the address is taken, or after {@link #close()}
   */
  public synchronized Future<Topic> topic(String address, List<String> subscribers) {
    requireFree(address);
    if (services.containsKey(address)) {
      throw new IllegalStateException("address " + address + " is served already");
    }
    OpenTopic topic = new OpenTopic(this, vertx.eventBus(), address, subscribers);
    topics.put(address, topic);
    topic.closeWith(Contexts.caller(vertx));
    return topic.listening().onFailure(failure -> topic.close());
  }

  /** That neither this Weir is closed nor the address is that of a topic. */
  private void requireFree(String address) {
    if (closed != null) {
      throw new IllegalStateException("this Weir is closed");
    }
    if (topics.containsKey(address)) {
      throw new IllegalStateException("address " + address + " is a topic");
    }
  }

  void forget(OpenTopic topic) {
    topics.remove(topic.address(), topic);
  }

  public <T> ServiceHandler<Object> typed(Class<T> type, ServiceHandler<T> handler) {
    return new TypedHandler<>(vertx.eventBus(), type, handler);
  }

  public <T> ServiceHandler<T> batching(int maxMessages, BatchHandler<T> handler) {
    return new Batching<>(vertx, maxMessages, handler);
  }

  /** Who hears of the failure finds the address free. */
  private Future<Service> forgotten(List<ManagedService> levels, Throwable failure) {
    List<Future<Void>> closing = new ArrayList<>();
    for (ManagedService service : levels) {
      service.abandon(failure);
      if (service.isOpen() && service != levels.get(0)) {
        closing.add(service.close(0));
      } else {
        forget(service);
      }
    }
    return Future.join(closing).transform(done -> Future.failedFuture(failure));
  }

  /** The services themselves, or those that another instance of their deployment has added. */
  private synchronized List<ManagedService> addOrFind(List<ManagedService> levels) {
    List<ManagedService> serving = levels.stream().map(this::find).toList();
    serving.forEach(service -> services.putIfAbsent(service.address(), service));
    return serving;
  }

  private ManagedService find(ManagedService service) {
    requireFree(service.address());
    ManagedService serving = services.get(service.address());
    if (serving == null) {
      return service;
    }
    if (!service.isInstanceOf(serving) || serving.isCredited() != service.isCredited()) {
      throw new IllegalStateException("address " + service.address() + " is served already");
    }
    return serving;
  }

  public synchronized void setObserver(WeirObserver observer) {
    observers.set(observer, openServices());
  }

  public synchronized void addObserver(WeirObserver observer) {
    observers.add(observer, openServices());
  }

  public synchronized void removeObserver(WeirObserver observer) {
    observers.remove(observer, openServices());
  }

  private List<ManagedService> openServices() {
    return sorted(ManagedService::isOpen).toList();
  }

  /** Called by a service that is about to take messages, on its event loop. */
  synchronized void opened(ManagedService service) {
    observers.opened(service);
  }

  /** Called by a service that is closed or could not be opened. */
  synchronized void forget(ManagedService service) {
    if (services.remove(service.address(), service) && service.isOpen()) {
      observers.closed(service);
    }
  }

  private Stream<ManagedService> sorted(Predicate<ManagedService> which) {
    return services.values().stream()
        .filter(which)
        .sorted(Comparator.comparing(ManagedService::address));
  }

  public List<Service> open() {
    return List.copyOf(openServices());
  }

  public List<String> opening() {
    return sorted(service -> !service.isOpen()).map(Service::address).toList();
  }

  /** Null if no open service has the address. */
  public Service open(String address) {
    return managed(address);
  }

  /** Null if no open service has the address. */
  ManagedService managed(String address) {
    ManagedService service = services.get(address);
    return service != null && service.isOpen() ? service : null;
  }

  /** Sends durably; the future's value means nothing. */
  public Future<Void> send(
      String address, Object body, Durability durability, DeliveryOptions options) {
    ManagedService service = managed(address);
    return service == null
        ? DurableSends.send(
                vertx.eventBus(), address, body, durability, options, MessageOptions.NONE)
            .mapEmpty()
        : append(service, body, durability, options, MessageOptions.NONE, sent -> sequence -> null);
  }

  /**
   * Sends durably and completes with the message's id.
   *
   * @param named without an id the message gets a generated one
   */
  public Future<String> sendWithId(
      String address,
      Object body,
      Durability durability,
      DeliveryOptions options,
      MessageOptions named) {
    ManagedService service = managed(address);
    return service == null
        ? DurableSends.send(vertx.eventBus(), address, body, durability, options, named)
        : append(service, body, durability, options, named, sent -> sent.naming(named.id()));
  }

  /** Sends a request that carries its timeout. */
  public <T> Future<Message<T>> request(String address, Object body, DeliveryOptions options) {
    String timeoutMs = Long.toString(options.getSendTimeout());
    DeliveryOptions own =
        new DeliveryOptions(options).addHeader(ServiceMessage.TIMEOUT_MS, timeoutMs);
    // In place of that of a message whose headers a handler passes on.
    own.getHeaders().set(ServiceMessage.TIMEOUT_MS, timeoutMs);
    if (tracing == null) {
      return vertx.eventBus().request(address, body, own);
    }
    Context sender = vertx.getOrCreateContext();
    Object span = tracing.request(sender, address, own);
    try {
      return vertx
          .eventBus()
          .<T>request(address, body, own)
          .andThen((reply, failure) -> tracing.replied(sender, span, reply, failure));
    } catch (RuntimeException e) {
      tracing.replied(sender, span, null, e);
      throw e;
    }
  }

  private <T> Future<T> append(
      ManagedService addressed,
      Object body,
      Durability durability,
      DeliveryOptions options,
      MessageOptions named,
      Function<DurableSends, LongFunction<T>> result) {
    MessageOptions all;
    ManagedService service;
    try {
      service = addressed.level(options.getHeaders());
      all = SendHeaders.read(options.getHeaders(), named, System.currentTimeMillis());
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(Failures.exception(FlowFailure.BAD_REQUEST, e.getMessage()));
    }
    MessageCodec<Object, Object> codec = bodies.codecFor(body, options.getCodecName());
    Context sender = vertx.getOrCreateContext();
    SendCompletions.Ticket<T> ticket =
        completions.ticket(sender, result.apply(service.durableSends()));
    MultiMap headers =
        tracing == null
            ? options.getHeaders()
            : tracing.send(sender, service.address(), options, ticket.future());
    service
        .durableSends()
        .append(() -> Envelope.sent(codec, headers, body), durability, all, ticket);
    return ticket.future();
  }

  DurableSends durableSends(ManagedService service, DurableQueue<Envelope> queue) {
    return new DurableSends(service, vertx.eventBus(), bodies, completions, queue, tracing);
  }

  /** Null without a tracer. */
  Tracing tracing() {
    return tracing;
  }

  SendCompletions completions() {
    return completions;
  }

  Bodies bodies() {
    return bodies;
  }

  DiskTier disk() {
    return disk;
  }

  /** On which all that holds bytes draws. */
  public HeapBudget heap() {
    return heap;
  }

  /** Null before the first service with a disk tier is opened. Asks the file system. */
  public StoreStats storeStats() {
    return disk.stats();
  }

  public Future<Long> backup(Path target) {
    return disk.backup(target);
  }

  public Future<List<QueueSummary>> unservedQueues() {
    return disk.closedQueues();
  }

  public Future<QueueSummary> deleteQueue(String address) {
    return disk.deleteQueue(address);
  }

  /** Null before the first backup. */
  public BackupStatus backupStatus() {
    return disk.backupStatus();
  }

  public boolean isClosing() {
    return closed != null;
  }

  private void close(Completable<Void> completion) {
    close().onComplete(completion);
  }

  public synchronized Future<Void> close() {
    if (closed == null) {
      List<Future<Void>> ending = topics.values().stream().map(Topic::close).toList();
      List<Future<Void>> closing = services.values().stream().map(Service::close).toList();
      closed =
          Future.join(ending)
              .eventually(() -> Future.join(closing))
              .eventually(disk::close)
              .eventually(
                  () -> {
                    Contexts.removeCloseHook(vertx, closeHook);
                    return Future.succeededFuture();
                  })
              .mapEmpty();
    }
    return closed;
  }
}
