package dev.weir.group.call;

import dev.weir.flow.FlowFailure;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.wire.MemberEndpoint;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Reads of the shards of a service that make no entry in a log: here, or on another member over the
 * bus. A read is asked again, of the next member, until its time is over.
 *
 * <p>A read that may be old runs on any member of the shard. That member asks the primary from time
 * to time where its log ends; when its own log has come so far, its state is as old as the question
 * at most. No clocks are compared. Any thread.
 */
public final class GroupReads {
  /** What was read, and how old it may be. */
  public record Answer(Buffer reply, long ageMs) {}

  /** This member had everything that was acknowledged before that time. */
  private record Synced(long sinceNs, LocalReplica.End end) {
    long ageMs() {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs) + 1;
    }
  }

  private static final String PREFIX = "weir.group.reads.";
  private static final String SHARD = "shard";
  private static final String KIND = "kind";
  private static final String AGE = "age";
  private static final String LATEST = "latest";
  private static final String END = "end";
  private static final String OLD = "old";
  private static final long ASK_MS = 500;
  private static final long PAUSE_MS = 20;
  private static final long BEHIND_PAUSE_MS = 2;

  private final Vertx vertx;
  private final ShardDirectory directory;
  private final String self;
  private final IntFunction<LocalReplica> replicas;
  private final ReadThreads workers;
  private final MemberEndpoint<Buffer> members;
  private final Map<Integer, Synced> synced = new ConcurrentHashMap<>();
  private final Map<Integer, Future<Synced>> asking = new ConcurrentHashMap<>();
  private final Map<Integer, String> primaries = new ConcurrentHashMap<>();
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * @param self the name of this member
   * @param replicas gives the replica of a shard on this member; null if there is none
   * @param workers run the reads here
   */
  public GroupReads(
      Vertx vertx,
      ShardDirectory directory,
      String self,
      IntFunction<LocalReplica> replicas,
      ReadThreads workers) {
    this.vertx = vertx;
    this.directory = directory;
    this.self = self;
    this.replicas = replicas;
    this.workers = workers;
    this.members =
        new MemberEndpoint<>(vertx, PREFIX, directory.layout().address(), self, this::serve);
  }

  private GroupReads(Vertx vertx, ShardDirectory directory) {
    this.vertx = vertx;
    this.directory = directory;
    this.self = null;
    this.replicas = shard -> null;
    this.workers = null;
    this.members = new MemberEndpoint<>(vertx, PREFIX, directory.layout().address());
  }

  /** Of a node that holds no shard, and that nobody asks. */
  public static GroupReads outside(Vertx vertx, ShardDirectory directory) {
    return new GroupReads(vertx, directory);
  }

  /** Completes when other members reach this one. */
  public Future<Void> listening() {
    return members.listening();
  }

  /** Ends reads that other members ask for. */
  public Future<Void> close() {
    return members.close();
  }

  /**
   * Reads.
   *
   * @param request for the processor
   * @param maxAgeMs 0 for what the primary has acknowledged until now
   * @param timeoutMs 1 or more
   * @return fails with a {@link ReplyException}
   */
  public Future<Answer> read(int shard, Buffer request, long maxAgeMs, long timeoutMs) {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    return maxAgeMs == 0 || isPrimaryHere(shard)
        ? latest(shard, LATEST, request, endNs).map(reply -> new Answer(reply, 0))
        : old(shard, request, maxAgeMs, endNs);
  }

  private boolean isPrimaryHere(int shard) {
    LocalReplica here = replicas.apply(shard);
    return here != null && here.isPrimary();
  }

  private static long leftMs(long endNs) {
    return TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
  }

  /** Asks the primary, whoever that is, until the time is over. */
  private Future<Buffer> latest(int shard, String kind, Buffer request, long endNs) {
    String member = primary(shard);
    Future<Buffer> read =
        member.equals(self)
            ? here(shard, kind, request)
            : ask(member, shard, kind, 0, request, endNs).map(Message::body);
    return read.onSuccess(done -> primaries.put(shard, member))
        .recover(
            failure -> {
              primaries.remove(shard, member);
              return again(failure, endNs, () -> latest(shard, kind, request, endNs));
            });
  }

  /** The primary as far as this member knows it, else one member after another. */
  private String primary(int shard) {
    LocalReplica here = replicas.apply(shard);
    String known = here == null ? primaries.get(shard) : here.primary();
    List<String> members = directory.members(shard);
    return known != null
        ? known
        : members.get(Math.floorMod(turn.getAndIncrement(), members.size()));
  }

  private Future<Buffer> here(int shard, String kind, Buffer request) {
    Context context = vertx.getOrCreateContext();
    LocalReplica replica = replicas.apply(shard);
    if (replica == null) {
      return Future.failedFuture(notHere(shard));
    }
    return kind.equals(END)
        ? replica
            .end(context, workers)
            .map(end -> Buffer.buffer().appendLong(end.epoch()).appendLong(end.position()))
        : replica.latest(context, workers, request);
  }

  private Future<Message<Buffer>> ask(
      String member, int shard, String kind, long maxAgeMs, Buffer request, long endNs) {
    DeliveryOptions options =
        new DeliveryOptions()
            .setSendTimeout(Math.max(1, Math.min(ASK_MS, leftMs(endNs))))
            .addHeader(SHARD, "" + shard)
            .addHeader(KIND, kind)
            .addHeader(AGE, "" + maxAgeMs);
    return members.ask(member, request, options);
  }

  /** Tries again after a failure that may pass, while there is time. */
  private <T> Future<T> again(Throwable failure, long endNs, Supplier<Future<T>> attempt) {
    if (!(failure instanceof ReplyException reply)) {
      return Future.failedFuture(
          LocalReplica.failure(FlowFailure.HANDLER_FAILED, String.valueOf(failure)));
    }
    boolean onItsWay = reply.failureType() != ReplyFailure.RECIPIENT_FAILURE;
    boolean notInSync = reply.failureCode() == FlowFailure.NOT_IN_SYNC.code();
    if (!onItsWay && !notInSync && reply.failureCode() != FlowFailure.NO_PRIMARY.code()) {
      return Future.failedFuture(failure);
    }
    if (leftMs(endNs) <= PAUSE_MS) {
      return Future.failedFuture(
          LocalReplica.failure(
              notInSync ? FlowFailure.NOT_IN_SYNC : FlowFailure.NO_PRIMARY,
              "nobody could read in time: " + failure.getMessage()));
    }
    return vertx.timer(PAUSE_MS, TimeUnit.MILLISECONDS).compose(later -> attempt.get());
  }

  private Future<Answer> old(int shard, Buffer request, long maxAgeMs, long endNs) {
    if (replicas.apply(shard) != null) {
      return oldHere(shard, request, maxAgeMs, endNs);
    }
    List<String> members = directory.members(shard);
    String member = members.get(Math.floorMod(turn.getAndIncrement(), members.size()));
    return ask(member, shard, OLD, maxAgeMs, request, endNs)
        .map(reply -> new Answer(reply.body(), Long.parseLong(reply.headers().get(AGE))))
        .recover(failure -> again(failure, endNs, () -> old(shard, request, maxAgeMs, endNs)));
  }

  private Future<Answer> oldHere(int shard, Buffer request, long maxAgeMs, long endNs) {
    Synced known = synced.get(shard);
    if (known == null || known.ageMs() > maxAgeMs) {
      return sync(shard, endNs).compose(now -> oldHere(shard, request, maxAgeMs, endNs, now));
    }
    return oldHere(shard, request, maxAgeMs, endNs, known);
  }

  private Future<Answer> oldHere(
      int shard, Buffer request, long maxAgeMs, long endNs, Synced known) {
    LocalReplica here = replicas.apply(shard);
    if (here == null) {
      // It has moved to another member meanwhile.
      return old(shard, request, maxAgeMs, endNs);
    }
    return here.here(workers, request, known.end())
        .compose(
            reply -> {
              long ageMs = known.ageMs();
              if (reply != null && ageMs <= maxAgeMs) {
                return Future.succeededFuture(new Answer(reply, ageMs));
              }
              if (leftMs(endNs) <= BEHIND_PAUSE_MS) {
                return Future.<Answer>failedFuture(
                    LocalReplica.failure(
                        FlowFailure.NOT_IN_SYNC,
                        "this member is more than " + maxAgeMs + " ms behind"));
              }
              return vertx
                  .timer(BEHIND_PAUSE_MS, TimeUnit.MILLISECONDS)
                  .compose(later -> oldHere(shard, request, maxAgeMs, endNs));
            })
        .recover(failure -> again(failure, endNs, () -> oldHere(shard, request, maxAgeMs, endNs)));
  }

  /** Asks the primary for the end of its log, once for all reads that need it now. */
  private Future<Synced> sync(int shard, long endNs) {
    Promise<Synced> promise = Promise.promise();
    Future<Synced> asked = asking.putIfAbsent(shard, promise.future());
    if (asked != null) {
      // The other read may have had less time.
      return until(endNs, asked)
          .recover(failure -> again(failure, endNs, () -> sync(shard, endNs)));
    }
    long sinceNs = System.nanoTime();
    latest(shard, END, Buffer.buffer(), endNs)
        .map(
            end ->
                new Synced(sinceNs, new LocalReplica.End(end.getLong(0), end.getLong(Long.BYTES))))
        .onSuccess(now -> synced.put(shard, now))
        .onComplete(
            done -> {
              asking.remove(shard);
              promise.handle(done);
            });
    return promise.future();
  }

  /** What another read has asked may take longer than this one may wait. */
  private static <T> Future<T> until(long endNs, Future<T> asked) {
    return asked
        .timeout(Math.max(1, leftMs(endNs)), TimeUnit.MILLISECONDS)
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof TimeoutException
                        ? LocalReplica.failure(
                            FlowFailure.NO_PRIMARY, "the primary did not answer in time")
                        : failure));
  }

  /** A read that another member asks for. */
  private void serve(Message<Buffer> message) {
    int shard = Integer.parseInt(message.headers().get(SHARD));
    String kind = message.headers().get(KIND);
    if (replicas.apply(shard) == null) {
      message.fail(FlowFailure.NO_PRIMARY.code(), notHere(shard).getMessage());
      return;
    }
    Future<Answer> read =
        kind.equals(OLD)
            ? oldHere(
                shard,
                message.body(),
                Long.parseLong(message.headers().get(AGE)),
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ASK_MS))
            : here(shard, kind, message.body()).map(reply -> new Answer(reply, 0));
    read.onSuccess(
            answer ->
                message.reply(
                    answer.reply(), new DeliveryOptions().addHeader(AGE, "" + answer.ageMs())))
        .onFailure(failure -> fail(message, failure));
  }

  private ReplyException notHere(int shard) {
    return LocalReplica.failure(FlowFailure.NO_PRIMARY, self + " does not hold shard " + shard);
  }

  private static void fail(Message<Buffer> message, Throwable failure) {
    int code =
        failure instanceof ReplyException reply
                && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
            ? reply.failureCode()
            : FlowFailure.HANDLER_FAILED.code();
    message.fail(code, String.valueOf(failure.getMessage()));
  }
}
