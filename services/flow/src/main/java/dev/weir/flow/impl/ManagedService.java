package dev.weir.flow.impl;

import dev.weir.flow.RemoteConsumerStats;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceDeadLetters;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceObserver;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.ServiceStats;
import dev.weir.flow.ServiceWaitingMessages;
import dev.weir.flow.WeirObserver;
import dev.weir.flow.pool.SharedWorkers;
import dev.weir.flow.vertx.BusDeparture;
import dev.weir.flow.vertx.Contexts;
import dev.weir.options.Checks;
import dev.weir.options.HeapExhaustion;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.QueueStats;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One service from its opening to its end, as users see it: brings their calls from any thread to
 * the event loop of the service's {@link Manager}.
 */
final class ManagedService implements Service {
  private final ServiceRegistry registry;
  private final Context context;

  /** Null if no verticle opens the service. */
  private final String deploymentId;

  private final ServiceOptions options;
  private final Manager manager;

  /** Null if its handler takes as many messages as there are workers. */
  private final CreditHandler credited;

  /** Null for a service of one priority; written before others can see this one. */
  private PriorityLevels levels;

  /** Completes when the service takes messages, or cannot be opened. */
  private final Promise<Service> opened = Promise.promise();

  /** Null without a disk tier; written before {@link #open} becomes true, as the next one is. */
  private DurableQueue<Envelope> queue;

  private DurableSends durableSends;

  /** Completes when the service is closed. */
  private final Promise<Void> ended = Promise.promise();

  private volatile boolean open;

  /** Null for any. */
  private volatile Class<?> bodyType;

  private volatile boolean answersRepeats;

  /** Null before the first call of close. */
  private volatile Future<Void> closed;

  ManagedService(
      ServiceRegistry registry,
      Context context,
      String deploymentId,
      String address,
      ServiceOptions options,
      ServiceHandler<Object> handler) {
    this.registry = registry;
    this.context = context;
    this.deploymentId = deploymentId;
    this.options = new ServiceOptions(options);
    this.manager =
        new Manager(
            address,
            registry.bodies(),
            context,
            this.options,
            registry.disk().serves(options),
            registry.heap(),
            registry.tracing());
    this.bodyType = TypedHandler.bodyType(handler);
    this.answersRepeats = handler.answersRepeats();
    this.credited = handler instanceof CreditHandler credits ? credits : null;
    if (credited != null) {
      manager.pool.setCredits(0);
    }
  }

  /** Makes this one of the priorities of a service. */
  void join(PriorityLevels all, SharedWorkers workers) {
    levels = all;
    manager.join(all, workers);
  }

  private boolean hasLevels() {
    return levels != null && levels.isLowest(this);
  }

  /**
   * The service for a message: this one, or another priority of it.
   *
   * @param headers null for none
   * @throws IllegalArgumentException naming a header with a bad value
   */
  ManagedService level(MultiMap headers) {
    return hasLevels() ? levels.of(headers) : this;
  }

  Manager manager() {
    return manager;
  }

  /**
   * Says that it will not be opened, because it or another priority cannot be. Its verticle has
   * nothing to close any more.
   */
  void abandon(Throwable failure) {
    opened.tryFail(failure);
    ended.tryComplete();
  }

  /** Whether this service and the other belong to instances of one deployment. */
  boolean isInstanceOf(ManagedService other) {
    if (deploymentId == null || !deploymentId.equals(other.deploymentId) || other.isClosing()) {
      return false;
    }
    if (!options.toJson().equals(other.options.toJson())) {
      throw new IllegalStateException(
          "address " + address() + " is served with other options by another instance");
    }
    return true;
  }

  /** Adds a handler that is called on the event loop of a context; any thread. */
  void addInstance(Context instance, ServiceHandler<Object> handler) {
    if (TypedHandler.bodyType(handler) != bodyType) {
      bodyType = null;
    }
    answersRepeats = answersRepeats && handler.answersRepeats();
    manager.addInstance(instance, handler);
  }

  /** Whether its handler is one that takes messages by credits. */
  boolean isCredited() {
    return credited != null;
  }

  /** What a handler with credits can take; on the event loop. */
  private void setCredits(int credits) {
    manager.pool.setCredits(credits);
    manager.pump();
  }

  /** Closes the service when a verticle is undeployed. */
  void closeWith(Context verticle) {
    Contexts.closeWith(verticle, this::close, ended.future());
  }

  /** Opens the service; completes when it takes messages. */
  Future<Service> open() {
    registry
        .disk()
        .open(address(), options)
        .compose(this::listen)
        .recover(failure -> tearDown().transform(done -> Future.failedFuture(failure)))
        .<Service>map(this)
        .onComplete(opened);
    return opened.future();
  }

  /** Completes when the opening under way has ended. */
  Future<Service> opened() {
    return opened.future();
  }

  private Future<Void> listen(DurableQueue<Envelope> opened) {
    queue = opened;
    return onEventLoop(
        () -> {
          durableSends = registry.durableSends(this, opened);
          open = true;
          registry.opened(this);
          Future<Void> handlerIsOpen =
              credited == null ? Future.succeededFuture() : credited.open(this::setCredits);
          Handler<Message<Object>> intake = hasLevels() ? levels::route : manager::onMessage;
          return Future.all(manager.listen(opened, intake), durableSends.listening(), handlerIsOpen)
              .mapEmpty();
        });
  }

  /** True once durable sends may come; any thread. */
  boolean isOpen() {
    return open;
  }

  /** Whether it has a disk tier; of a service that is open. */
  boolean isDurable() {
    return queue != null;
  }

  /** Of a service that is open. */
  DurableSends durableSends() {
    return durableSends;
  }

  /** Sets an observer's observer of messages; null for none; any thread. */
  void observe(WeirObserver of, ServiceObserver observer) {
    Contexts.execute(context, () -> manager.timer.observe(of, observer));
  }

  @Override
  public String address() {
    return manager.address();
  }

  @Override
  public ServiceOptions options() {
    return new ServiceOptions(options);
  }

  @Override
  public Class<?> bodyType() {
    return bodyType;
  }

  @Override
  public boolean answersRepeats() {
    return answersRepeats;
  }

  @Override
  public boolean isClosing() {
    return closed != null;
  }

  @Override
  public QueueStats queueStats() {
    return open && queue != null ? queue.stats() : null;
  }

  @Override
  public ServiceDeadLetters deadLetters() {
    return new StoredDeadLetters(
        context.owner(), address(), queue == null ? null : queue.deadLetters());
  }

  @Override
  public ServiceWaitingMessages waitingMessages() {
    return new StoredWaitingMessages(context.owner(), address(), queue);
  }

  @Override
  public List<RemoteConsumerStats> remoteConsumers() {
    return credited == null ? List.of() : credited.consumers();
  }

  @Override
  public Future<Void> setWorkers(int workers) {
    new ServiceOptions().setWorkers(workers);
    return onEventLoop(() -> each(level -> level.setWorkers(workers)));
  }

  @Override
  public Future<Void> pause() {
    return onEventLoop(() -> each(Manager::pause));
  }

  @Override
  public Future<Void> resume() {
    return onEventLoop(() -> each(Manager::resume));
  }

  /** For all priorities if this is the service itself. */
  private void each(Consumer<Manager> change) {
    if (hasLevels()) {
      levels.each(change);
    } else {
      change.accept(manager);
    }
  }

  @Override
  public Future<Long> releaseScheduled() {
    return queue == null
        ? Future.succeededFuture(0L)
        : Future.fromCompletionStage(queue.releaseScheduled(), context);
  }

  private Future<Void> onEventLoop(Runnable change) {
    return onEventLoop(
        () -> {
          change.run();
          manager.counters.publish();
          return Future.succeededFuture();
        });
  }

  private Future<Void> onEventLoop(Supplier<Future<Void>> action) {
    Promise<Void> done = Contexts.promise(context);
    context.runOnContext(
        ignored -> {
          try {
            action.get().onComplete(done);
          } catch (Throwable e) {
            HeapExhaustion.report(e);
            done.tryFail(e);
          }
        });
    return done.future();
  }

  @Override
  public ServiceStats stats() {
    return manager.counters.stats(manager.pool, queue == null ? QueueStats.NONE : queue.stats());
  }

  @Override
  public Future<Void> close() {
    return close(options.getDrainTimeoutMs());
  }

  @Override
  public synchronized Future<Void> close(long drainTimeoutMs) {
    Checks.range("drainTimeoutMs", drainTimeoutMs, 0, Long.MAX_VALUE);
    if (closed == null) {
      Promise<Void> done = Promise.promise();
      closed = done.future();
      Future<?> others =
          hasLevels() ? levels.closeOthers(drainTimeoutMs) : Future.succeededFuture();
      opened
          .future()
          .transform(
              ended ->
                  ended.succeeded() ? announce(drainTimeoutMs) : Future.<Void>succeededFuture())
          .compose(announced -> drainAndClose(drainTimeoutMs))
          .eventually(() -> others)
          .onComplete(done);
    }
    return closed;
  }

  /** Until other nodes choose this one no more, all is taken and handled as before. */
  private Future<Void> announce(long drainTimeoutMs) {
    return BusDeparture.announce(
        context, List.of(manager.consumer, durableSends.consumer()), drainTimeoutMs);
  }

  private Future<Void> drainAndClose(long drainTimeoutMs) {
    return onEventLoop(() -> manager.drain(drainTimeoutMs))
        .eventually(this::tearDown)
        .eventually(
            () -> {
              registry.forget(this);
              ended.tryComplete();
              return Future.succeededFuture();
            });
  }

  /** Leaves the bus, ends the threads and closes the queue, as far as they were there. */
  private Future<Void> tearDown() {
    return onEventLoop(manager::stopListening)
        .eventually(() -> durableSends == null ? Future.succeededFuture() : durableSends.close())
        .eventually(
            () -> credited == null ? Future.succeededFuture() : onEventLoop(credited::close))
        .eventually(() -> onEventLoop(manager::closeRunner))
        .eventually(
            () -> queue == null ? Future.succeededFuture() : registry.disk().run(queue::close));
  }
}
