package dev.weir.flow;

import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.DurableQueue.Admission;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueStats;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One service: connects its {@link Pool}, which decides, with the bus, the handler and the queue.
 * All state belongs to one event loop.
 *
 * <pre>
 * bus -> onMessage -> run -----------------------------> handler -> finish -> reply, acknowledge
 *            |-> memory tier --+                            ^          |
 *            |-> disk tier ----+-> pump, when a worker is free         |
 *                                    ^---------------------------------+
 * </pre>
 */
final class Manager implements Service {
  private static final Logger LOG = LoggerFactory.getLogger(Manager.class);

  /** Messages started in one turn of the event loop; then others get theirs. */
  private static final int STARTS_PER_TURN = 128;

  private final Weir weir;
  private final EventBus bus;
  private final ContextInternal context;
  private final String address;
  private final ServiceOptions options;
  private final HandlerRunner runner;
  private final Pool pool;
  private final FlowCounters counters = new FlowCounters();
  private final Sampler sampler = new Sampler();
  private final ArrayDeque<Work.Direct> memory = new ArrayDeque<>();
  private final Handler<Work> invoke = this::invoke;
  private final Handler<Void> pump = ignored -> pump();
  private DurableQueue<Envelope> queue;
  private MessageConsumer<Object> consumer;
  private DurableEntry durableEntry;
  private ServiceObserver observer;
  private boolean pumping;
  private Promise<Void> drained;
  private volatile boolean open;
  private volatile Future<Void> closed;

  Manager(
      Weir weir,
      ContextInternal context,
      String address,
      ServiceOptions options,
      ServiceHandler<Object> handler,
      boolean diskTier) {
    this.weir = weir;
    this.bus = weir.vertx().eventBus();
    this.context = context;
    this.address = address;
    this.options = new ServiceOptions(options);
    this.runner =
        HandlerRunner.of(options.getRunOn(), weir.vertx(), address, options.getWorkers(), handler);
    this.pool =
        new Pool(
            options.getWorkers(), options.getMemoryMessages(), options.getMemoryBytes(), diskTier);
  }

  /** Starts listening, with the queue of the disk tier or null; on the event loop. */
  Future<Void> open(DurableQueue<Envelope> queue) {
    this.queue = queue;
    weir.opened(this);
    consumer = bus.consumer(address, this::onMessage);
    durableEntry = new DurableEntry(weir, address, this);
    if (queue != null) {
      queue.onReadable(() -> context.runOnContext(pump));
      pump();
    }
    return Future.all(consumer.completion(), durableEntry.completion()).mapEmpty();
  }

  /** True once durable sends may come; any thread. */
  boolean isOpen() {
    return open;
  }

  /** From now on durable sends may come. */
  void setOpen() {
    open = true;
  }

  /** What became of requests that the disk tier gave up. */
  static void lost(Object attachment, Reason reason) {
    if (attachment != null) {
      ((Requester) attachment).fail(FlowFailure.of(reason), "the request was lost: " + reason);
    }
  }

  // ---- arrival

  private void onMessage(Message<Object> message) {
    if (Bodies.isSerialized(message)) {
      reject(message, FlowFailure.BAD_REQUEST, Bodies.NO_SERIALIZATION);
      counters.publish();
      return;
    }
    long bytes = Bodies.memoryBytes(message);
    switch (pool.arrive(bytes, diskWaiting())) {
      case RUN -> {
        counters.direct.add(1);
        Timing timing = observer == null ? null : time();
        invoke(new Work.Direct(this, ContextInternal.current(), message, timing, bytes));
      }
      case KEEP -> keep(message, bytes);
      case SPILL -> spill(message);
      case FULL -> overflow(message, bytes);
      case CLOSED -> reject(message, FlowFailure.SERVICE_CLOSED, "service " + address + " closes");
    }
    counters.publish();
  }

  private void keep(Message<?> message, long bytes) {
    counters.direct.add(1);
    memory.add(new Work.Direct(this, ContextInternal.current(), message, time(), bytes));
  }

  /** Null for a message that is not to be timed. */
  private Timing time() {
    if (!sampler.chooses()) {
      return null;
    }
    long nowNs = System.nanoTime();
    return new Timing(sampler.stands(nowNs), nowNs);
  }

  private void spill(Message<?> message) {
    boolean request = message.replyAddress() != null;
    Envelope envelope;
    try {
      envelope = Envelope.of(weir.bodies().codecOf(message), message.headers(), message.body());
    } catch (RuntimeException e) {
      reject(message, FlowFailure.BAD_REQUEST, "the body cannot be written to disk: " + e);
      return;
    }
    Requester requester = request ? Requester.light(bus, message) : null;
    Admission admission = queue.offer(envelope, requester, !request);
    if (admission != Admission.ACCEPTED) {
      FlowFailure failure = FlowFailure.of(Reason.valueOf(admission.name()));
      refuse(message, failure, "service " + address + " takes no more: " + admission);
    }
  }

  /** Without a disk tier the policy acts on the memory tier. */
  private void overflow(Message<?> message, long bytes) {
    if (options.getPolicy() == OverflowPolicy.DROP_OLDEST && makeRoom(bytes)) {
      onMessage(untyped(message));
    } else if (options.getPolicy() == OverflowPolicy.DROP_NEWEST) {
      reject(message, FlowFailure.DROPPED, "service " + address + " is full and drops the newest");
    } else {
      reject(message, FlowFailure.SERVICE_FULL, "service " + address + " is full");
    }
  }

  @SuppressWarnings("unchecked")
  private static Message<Object> untyped(Message<?> message) {
    return (Message<Object>) message;
  }

  private boolean makeRoom(long bytes) {
    if (bytes > options.getMemoryBytes()) {
      return false;
    }
    boolean dropped = false;
    while (!memory.isEmpty()
        && (pool.memoryMessages() >= options.getMemoryMessages()
            || pool.memoryBytes() + bytes > options.getMemoryBytes())) {
      Work.Direct oldest = memory.poll();
      pool.dropped(oldest.bytes);
      counters.dropped.add(1);
      oldest.fail(FlowFailure.DROPPED, "service " + address + " is full, oldest dropped");
      dropped = true;
    }
    return dropped;
  }

  private void reject(Message<?> message, FlowFailure failure, String text) {
    counters.rejected.add(1);
    refuse(message, failure, text);
  }

  private static void refuse(Message<?> message, FlowFailure failure, String text) {
    message.fail(failure.code(), text);
  }

  /**
   * Accepts a message that must not be lost; any thread.
   *
   * @param body nobody else changes it any more
   * @param id its name, or null for one by its place in the queue
   */
  void append(
      MessageCodec<Object, Object> codec,
      MultiMap headers,
      Object body,
      Durability durability,
      String id,
      Outbox.Ticket<?> ticket) {
    if (queue == null) {
      ticket.fail(FlowFailure.NOT_DURABLE.toException("service " + address + " has no disk tier"));
    } else if (closed != null) {
      ticket.fail(FlowFailure.SERVICE_CLOSED.toException("service " + address + " closes"));
    } else {
      MessageOptions named = id == null ? MessageOptions.NONE : MessageOptions.NONE.withId(id);
      queue.append(Envelope.of(codec, headers, body), named, durability, ticket);
    }
  }

  /** Names messages as {@link ServiceMessage#id()} does; {@code id} is null if none was given. */
  LongFunction<String> naming(String id) {
    return id == null ? this::idOf : sequence -> id;
  }

  /** The name of a message that was given none, by its place in the queue. */
  String idOf(long sequence) {
    return address + "-" + Long.toHexString(sequence);
  }

  // ---- dispatch

  private long diskWaiting() {
    return queue == null ? 0 : queue.waiting();
  }

  /** Starts what waits, as long as there are workers; in turns, so that others get theirs. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      int started = 0;
      while (started < STARTS_PER_TURN && startNext()) {
        started++;
      }
      if (started == STARTS_PER_TURN) {
        context.runOnContext(pump);
      }
    } finally {
      pumping = false;
    }
    counters.publish();
    checkDrained();
  }

  private boolean startNext() {
    long headBytes = memory.isEmpty() ? 0 : memory.peek().bytes;
    return switch (pool.next(headBytes, diskWaiting())) {
      case MEMORY -> {
        Work.Direct work = memory.poll();
        if (work.timing != null) {
          work.timing.started(System.nanoTime());
          counters.waited(work.timing.waitedNs(), work.timing.messages);
        }
        work.context.dispatch(work, invoke);
        yield true;
      }
      case DISK -> startFromDisk();
      case NONE -> false;
    };
  }

  private boolean startFromDisk() {
    Delivery<Envelope> delivery = queue.poll();
    if (delivery == null) {
      return false;
    }
    pool.startedFromDisk();
    long waitedMs = System.currentTimeMillis() - delivery.message().acceptedAtMs;
    long waitedNs = TimeUnit.MILLISECONDS.toNanos(Math.max(0, waitedMs));
    counters.waited(waitedNs, 1);
    Work.Stored work;
    try {
      work = new Work.Stored(this, context.duplicate(), delivery, timeFromDisk(waitedNs));
    } catch (RuntimeException e) {
      LOG.error("service {}: a message from disk cannot be decoded", address, e);
      counters.failed.add(1);
      pool.finished();
      queue.reject(delivery, "cannot be decoded: " + e);
      return true;
    }
    work.context.dispatch(work, invoke);
    return true;
  }

  private Timing timeFromDisk(long waitedNs) {
    if (observer == null || !sampler.chooses()) {
      return null;
    }
    long nowNs = System.nanoTime();
    Timing timing = new Timing(sampler.stands(nowNs), nowNs - waitedNs);
    timing.started(nowNs);
    return timing;
  }

  private void invoke(Work work) {
    Future<?> result = runner.run(work);
    if (result.isComplete()) {
      finish(work, result.result(), result.cause());
    } else {
      result.onComplete((Completable<Object>) work);
    }
  }

  /** A handler's future is complete; any thread. */
  void completed(Work work, Object result, Throwable failure) {
    if (context.inThread()) {
      finish(work, result, failure);
    } else {
      context.runOnContext(ignored -> finish(work, result, failure));
    }
  }

  private void finish(Work work, Object result, Throwable failure) {
    boolean succeeded = failure == null;
    if (observer != null && work.timing != null) {
      tellObserver(work.timing, succeeded);
    }
    if (succeeded) {
      counters.completed.add(1);
      succeeded = work.answer(result);
    } else {
      counters.failed.add(1);
      work.answer(failure);
    }
    if (work instanceof Work.Stored stored) {
      if (succeeded || stored.isRequest()) {
        queue.acknowledge(stored.delivery);
      } else {
        queue.fail(stored.delivery, String.valueOf(failure));
      }
    }
    pool.finished();
    pump();
  }

  private void tellObserver(Timing timing, boolean succeeded) {
    long handledNs = timing.handledNs(System.nanoTime());
    try {
      observer.handled(timing.waitedNs(), handledNs, succeeded, timing.messages);
    } catch (RuntimeException e) {
      LOG.error("service {}: its observer fails and is left out from now on", address, e);
      observer = null;
    }
  }

  /** Sets who is told of messages; null for nobody; any thread. */
  void observe(ServiceObserver observer) {
    context.execute(ignored -> this.observer = observer);
  }

  // ---- operation

  @Override
  public String address() {
    return address;
  }

  @Override
  public ServiceOptions options() {
    return new ServiceOptions(options);
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
    return new ServiceDeadLetters(weir.vertx(), queue == null ? null : queue.deadLetters());
  }

  @Override
  public Future<Void> setWorkers(int workers) {
    new ServiceOptions().setWorkers(workers);
    return change(
        () -> {
          runner.resize(workers);
          pool.setWorkers(workers);
          pump();
        });
  }

  @Override
  public Future<Void> pause() {
    return change(
        () -> {
          pool.pause();
          checkDrained();
        });
  }

  @Override
  public Future<Void> resume() {
    return change(
        () -> {
          pool.resume();
          pump();
        });
  }

  private Future<Void> change(Runnable change) {
    Promise<Void> done = Promise.promise();
    context.runOnContext(
        ignored -> {
          change.run();
          counters.publish();
          done.complete();
        });
    return done.future();
  }

  @Override
  public ServiceStats stats() {
    counters.refresh();
    QueueStats disk = queue == null ? QueueStats.NONE : queue.stats();
    return new ServiceStats(
        pool.workers(),
        pool.busy(),
        pool.memoryMessages(),
        pool.memoryBytes(),
        disk.waiting(),
        disk.bytes(),
        counters.direct.get() + disk.appended(),
        counters.completed.get(),
        counters.failed.get(),
        counters.rejected.get() + disk.rejected(),
        counters.dropped.get() + disk.dropped(),
        disk.appended(),
        disk.writtenMessages(),
        disk.writtenBytes(),
        disk.recovered(),
        disk.recoveredTransient(),
        counters.waitedNsTotal.get(),
        counters.waitedNsMax.get(),
        pool.paused(),
        disk.scheduled(),
        disk.retried(),
        disk.deadLetters());
  }

  // ---- closing

  @Override
  public Future<Void> close() {
    return close(options.getDrainTimeoutMs());
  }

  @Override
  public synchronized Future<Void> close(long drainTimeoutMs) {
    OptionReader.range("drainTimeoutMs", drainTimeoutMs, 0, Long.MAX_VALUE);
    if (closed == null) {
      Promise<Void> done = Promise.promise();
      closed = done.future();
      context.runOnContext(ignored -> drain(drainTimeoutMs).onComplete(done));
    }
    return closed;
  }

  private Future<Void> drain(long drainTimeoutMs) {
    pool.close();
    drained = context.promise();
    long timer =
        drainTimeoutMs == 0
            ? -1
            : context.setTimer(drainTimeoutMs, ignored -> drained.tryComplete());
    if (drainTimeoutMs == 0) {
      drained.complete();
    }
    checkDrained();
    return drained
        .future()
        .eventually(
            () -> {
              context.owner().cancelTimer(timer);
              return shut();
            });
  }

  private void checkDrained() {
    if (drained != null && (pool.stuck() || pool.idle(diskWaiting()))) {
      drained.tryComplete();
    }
  }

  private Future<Void> shut() {
    pool.pause();
    for (Work.Direct left = memory.poll(); left != null; left = memory.poll()) {
      pool.dropped(left.bytes);
      counters.rejected.add(1);
      left.fail(FlowFailure.SERVICE_CLOSED, "service " + address + " was closed");
    }
    return Future.join(consumer.unregister(), durableEntry.close())
        .eventually(
            () -> {
              runner.close();
              return queue == null ? Future.succeededFuture() : weir.blocking(queue::close);
            })
        .eventually(
            () -> {
              weir.forget(this);
              return Future.succeededFuture();
            })
        .mapEmpty();
  }
}
