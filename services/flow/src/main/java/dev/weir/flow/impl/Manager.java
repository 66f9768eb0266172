package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.pool.FlowCounters;
import dev.weir.flow.pool.Pool;
import dev.weir.flow.pool.SharedWorkers;
import dev.weir.flow.pool.Timing;
import dev.weir.flow.vertx.Contexts;
import dev.weir.options.HeapBudget;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import dev.weir.queue.Delivery;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.DurableQueue.Admission;
import dev.weir.queue.OverflowPolicy;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;

/**
 * Dispatches the messages of one service: takes them from the bus, does with each what the {@link
 * Pool} decides, calls the handler and settles the message. All methods are called on the service's
 * event loop where not said otherwise.
 *
 * <pre>
 * bus -> onMessage -> run -----------------------------> handler -> finish -> reply, acknowledge
 *            |-> memory tier --+                            ^          |
 *            |-> disk tier ----+-> pump, when a worker is free         |
 *                                    ^---------------------------------+
 * </pre>
 */
final class Manager {
  /** Messages started in one task of the event loop, so that other tasks get their turn. */
  private static final int STARTS_PER_TASK = 128;

  private final String address;
  private final EventBus bus;
  private final Bodies bodies;
  private final Context context;
  private final ServiceOptions options;
  private final HandlerRunner runner;

  /** Null without a tracer. */
  private final Tracing tracing;

  /** Any thread may read its figures after {@link FlowCounters#refresh}, and the next ones. */
  final Pool pool;

  final FlowCounters counters = new FlowCounters();

  final MessageTimer timer;
  final LateRequests late;
  private final InHandling inHandling = new InHandling();
  private final MemoryTier memory;
  private final SpillEvents spills = new SpillEvents();
  private final Handler<Work> invoke = this::invoke;

  /** Starts what waits: of this service, or of all its priorities. */
  private Runnable pumpAll = this::pump;

  private final Handler<Void> pump = ignored -> pumpAll.run();

  /** Null for a service without a disk tier, and before {@link #listen}. */
  private DurableQueue<Envelope> queue;

  /** Null before {@link #listen}. */
  MessageConsumer<Object> consumer;

  private boolean pumping;

  /** Null before {@link #drain}. */
  private Promise<Void> drained;

  Manager(
      String address,
      Bodies bodies,
      Context context,
      ServiceOptions options,
      boolean diskTier,
      HeapBudget heap,
      Tracing tracing) {
    this.address = address;
    this.bus = context.owner().eventBus();
    this.late = new LateRequests(address, counters, context.owner(), tracing != null);
    this.bodies = bodies;
    this.context = context;
    this.options = options;
    this.tracing = tracing;
    this.runner = HandlerRunner.of(options, context, address, tracing);
    this.pool = Pool.of(options, diskTier, heap);
    this.memory = new MemoryTier(pool);
    this.timer = new MessageTimer(address, counters, late.overload);
  }

  /** Shares workers with the other priorities; called once, before all others. */
  void join(PriorityLevels levels, SharedWorkers workers) {
    pumpAll = levels::pump;
    pool.share(workers);
  }

  /** Has the intake take messages from the bus; takes them from the queue if it is not null. */
  Future<Void> listen(DurableQueue<Envelope> queue, Handler<Message<Object>> intake) {
    this.queue = queue;
    consumer = bus.consumer(address, intake);
    if (queue != null) {
      queue.onReadable(() -> context.runOnContext(pump));
      pumpAll.run();
    }
    return consumer.completion();
  }

  String address() {
    return address;
  }

  // ---- arrival

  void onMessage(Message<Object> message) {
    if (Bodies.isSerialized(message)) {
      reject(message, FlowFailure.BAD_REQUEST, Bodies.NO_SERIALIZATION);
    } else {
      arrive(message);
    }
    counters.publish();
  }

  private void arrive(Message<Object> message) {
    long bytes = 0;
    if (!pool.runsOnArrival(diskWaiting())) {
      try {
        bytes = Bodies.memoryBytes(message, pool.memoryByteLimit());
      } catch (Throwable e) {
        reject(message, Failures.taken(e), MessageLog.undecoded(address, message.headers(), e));
        return;
      }
    }
    switch (pool.arrive(bytes, diskWaiting())) {
      case RUN -> {
        counters.direct.add(1);
        Timing timing = timer.startedOnArrival();
        invoke(new Work.Direct(this, Contexts.current(), message, timing, bytes, 0));
      }
      case KEEP -> keep(message, bytes);
      case SPILL -> spill(message);
      case FULL -> overflow(message, bytes);
      case CLOSED -> reject(message, FlowFailure.SERVICE_CLOSED, "service " + address + " closes");
    }
  }

  private void keep(Message<?> message, long bytes) {
    counters.direct.add(1);
    long deadlineNs = ReplyHandlers.deadlineNs(message);
    memory.add(
        new Work.Direct(this, Contexts.current(), message, timer.waiting(), bytes, deadlineNs));
  }

  private void spill(Message<?> message) {
    Envelope envelope;
    try {
      envelope = Envelope.received(bodies.codecOf(message), message.headers(), message);
    } catch (Throwable e) {
      reject(message, Failures.taken(e), MessageLog.unwritten(address, null, message.headers(), e));
      return;
    }
    // A plain message has one attempt and no life after this process, also when it waits on disk.
    Admission admission = queue.offer(envelope, Requester.light(bus, message, tracing), false);
    spills.offered(address, admission);
    if (admission != Admission.ACCEPTED) {
      message.fail(Failures.code(admission), "service " + address + " takes no more: " + admission);
    }
  }

  /** Without a disk tier the policy acts on the memory tier. */
  private void overflow(Message<Object> message, long bytes) {
    if (options.getPolicy() == OverflowPolicy.DROP_OLDEST
        && memory.dropOldest(bytes, this::dropped)) {
      arrive(message);
    } else if (options.getPolicy() == OverflowPolicy.DROP_NEWEST) {
      reject(message, FlowFailure.DROPPED, "service " + address + " is full and drops the newest");
    } else {
      reject(
          message,
          FlowFailure.SERVICE_FULL,
          "service " + address + " is full" + BodySizes.tooLarge(bytes, pool.memoryByteLimit()));
    }
  }

  private void dropped(Work.Direct oldest) {
    counters.dropped.add(1);
    oldest.fail(FlowFailure.DROPPED, "service " + address + " is full, oldest dropped");
  }

  void reject(Message<?> message, FlowFailure failure, String text) {
    counters.rejected.add(1);
    message.fail(failure.code(), text);
  }

  // ---- dispatch

  private long diskWaiting() {
    return queue == null ? 0 : queue.waiting();
  }

  /**
   * Starts waiting messages while workers are free, at most a number in one task.
   *
   * @return false if it goes on in the next task
   */
  boolean pump() {
    if (pumping) {
      return true;
    }
    pumping = true;
    int started = 0;
    try {
      while (started < STARTS_PER_TASK && startNext()) {
        started++;
      }
      if (started == STARTS_PER_TASK) {
        context.runOnContext(pump);
      }
    } finally {
      pumping = false;
    }
    spills.waiting(address, diskWaiting());
    counters.publish();
    checkDrained();
    return started < STARTS_PER_TASK;
  }

  private boolean startNext() {
    return switch (pool.next(memory.headBytes(), diskWaiting())) {
      case MEMORY -> {
        Work.Direct work = memory.take();
        if (work.isRequest() && late.drops(work)) {
          pool.finished(0);
          yield true;
        }
        timer.started(work.timing);
        Contexts.dispatch(work.context, work, invoke);
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
    if (!delivery.message().isDecodable()) {
      refuseUndecodable(delivery, delivery.message().decodeFailure, false);
      return true;
    }
    if (delivery.attachment() instanceof Requester requester && late.drops(requester)) {
      queue.acknowledge(delivery);
      return true;
    }
    // A delay, a back-off and the time as a dead letter are no wait for a worker.
    Timing timing =
        timer.startedFromDisk(Math.max(delivery.message().acceptedAtMs, delivery.dueMs()));
    Work.Stored work;
    try {
      work = new Work.Stored(this, Contexts.duplicate(context), delivery, timing);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      boolean again = HeapExhaustion.isCause(e);
      refuseUndecodable(delivery, "cannot be decoded: " + UserFailure.text(e), again);
      return true;
    }
    pool.startedFromDisk(work.bytes);
    Contexts.dispatch(work.context, work, invoke);
    return true;
  }

  private void refuseUndecodable(Delivery<Envelope> delivery, String reason, boolean again) {
    counters.failed.add(1);
    Failures.undecodable(address, queue, delivery, reason, again);
  }

  private void invoke(Work work) {
    inHandling.add(work);
    Future<?> result = runner.start(work);
    if (result.isComplete()) {
      finish(work, result.result(), result.cause());
    } else {
      result.onComplete((Completable<Object>) work);
    }
  }

  /** A handler's future is complete; any thread. */
  void completed(Work work, Object result, Throwable failure) {
    if (Contexts.isOnThread(context)) {
      finish(work, result, failure);
    } else {
      context.runOnContext(ignored -> finish(work, result, failure));
    }
  }

  private void finish(Work work, Object result, Throwable failure) {
    inHandling.remove(work);
    boolean succeeded = failure == null;
    timer.handled(work.timing, succeeded);
    if (succeeded) {
      counters.completed.add(1);
      succeeded = work.answer(result);
    } else {
      counters.failed.add(1);
      work.answer(failure);
    }
    long diskBytes = 0;
    if (work instanceof Work.Stored stored) {
      stored.settle(queue, succeeded, failure);
      diskBytes = stored.bytes;
    }
    pool.finished(diskBytes);
    pumpAll.run();
  }

  // ---- operation

  /** Adds a handler, which is called on the event loop of its context; any thread. */
  void addInstance(Context instance, ServiceHandler<Object> handler) {
    runner.add(instance, handler);
  }

  void setWorkers(int workers) {
    runner.resize(workers);
    pool.setWorkers(workers);
    pumpAll.run();
  }

  void pause() {
    pool.pause();
    checkDrained();
  }

  void resume() {
    pool.resume();
    pumpAll.run();
  }

  // ---- closing

  /**
   * Takes no more messages.
   *
   * @return completes when nothing waits and nothing is in handling, or when the time is over
   */
  Future<Void> drain(long timeoutMs) {
    pool.close();
    drained = Contexts.promise(context);
    long timeout =
        timeoutMs == 0
            ? -1
            : Contexts.setTimer(context, timeoutMs, ignored -> drained.tryComplete());
    if (timeoutMs == 0) {
      drained.complete();
    }
    checkDrained();
    return drained.future().onComplete(ignored -> context.owner().cancelTimer(timeout));
  }

  private void checkDrained() {
    if (drained != null && (pool.stuck() || pool.idle(diskWaiting()))) {
      drained.tryComplete();
    }
  }

  /** Fails the requests that still wait in memory or are in handling, and leaves the bus. */
  Future<Void> stopListening() {
    pool.pause();
    memory.dropAll(
        left -> {
          counters.rejected.add(1);
          left.fail(FlowFailure.SERVICE_CLOSED, "service " + address + " was closed");
        });
    inHandling.forEach(
        work ->
            work.fail(
                FlowFailure.SERVICE_CLOSED,
                "service " + address + " was closed while it handled the request"));
    pool.release();
    return consumer == null ? Future.succeededFuture() : consumer.unregister();
  }

  /** Ends the threads of the handler. */
  void closeRunner() {
    runner.close();
  }
}
