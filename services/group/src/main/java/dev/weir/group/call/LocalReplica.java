package dev.weir.group.call;

import dev.weir.cluster.GroupStats;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.cluster.State;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The replica of a shard on this member, for reads. They run on worker threads. Any thread. */
public final class LocalReplica {
  /** Where a log ends; a member with a later end has all that one with an earlier end has. */
  public record End(long epoch, long position) {
    boolean isReached(GroupStats stats) {
      return stats.logEpoch() > epoch || stats.logEpoch() == epoch && stats.logEnd() >= position;
    }
  }

  private final ProcessorGroup group;
  private final BiFunction<Buffer, State, Buffer> processor;

  /**
   * @param processor makes the reply to a request that reads; called under the group's lock
   */
  public LocalReplica(ProcessorGroup group, BiFunction<Buffer, State, Buffer> processor) {
    this.group = group;
    this.processor = processor;
  }

  boolean isPrimary() {
    return group.stats().role() == Role.PRIMARY;
  }

  /** The member that is primary as far as this one knows; null if it knows none. */
  String primary() {
    return group.stats().primary();
  }

  /**
   * Reads what is acknowledged, on the primary.
   *
   * @return fails with NO_PRIMARY or NOT_IN_SYNC
   */
  Future<Buffer> latest(Context context, WorkerExecutor workers, Buffer request) {
    return confirmed(context, workers, state -> processor.apply(request, state));
  }

  /** Where the log of the primary ends: whoever has it has all that was acknowledged before. */
  Future<End> end(Context context, WorkerExecutor workers) {
    return confirmed(
        context,
        workers,
        state -> {
          // Within the read: before it this member may have been a backup that lacked the end.
          GroupStats stats = group.stats();
          return new End(stats.logEpoch(), stats.logEnd());
        });
  }

  /**
   * Reads the state on the primary; completes when what was read is acknowledged.
   *
   * @return fails with NO_PRIMARY or NOT_IN_SYNC
   */
  public <T> Future<T> confirmed(
      Context context, WorkerExecutor workers, Function<State, T> reader) {
    Promise<T> reply = Promise.promise();
    Confirmed<T> read = new Confirmed<>(context, reader, reply);
    return Contexts.executeBlocking(workers, () -> group.read(read), false)
        .compose(
            result ->
                result == OfferResult.ACCEPTED
                    ? reply.future()
                    : Future.failedFuture(failure(result)));
  }

  private static final class Confirmed<T> implements State.Reader {
    private final Context context;
    private final Function<State, T> reader;
    private final Promise<T> reply;
    private T read;

    Confirmed(Context context, Function<State, T> reader, Promise<T> reply) {
      this.context = context;
      this.reader = reader;
      this.reply = reply;
    }

    @Override
    public void read(State state) {
      read = reader.apply(state);
    }

    @Override
    public void onConfirmed() {
      // The reply is not sent under the group's lock.
      context.runOnContext(v -> reply.complete(read));
    }

    @Override
    public void onLost() {
      context.runOnContext(v -> reply.fail(failure(OfferResult.NOT_PRIMARY)));
    }
  }

  /**
   * Reads the state of this replica.
   *
   * @param end what it must have
   * @return null if it has less
   */
  Future<Buffer> here(WorkerExecutor workers, Buffer request, End end) {
    return Contexts.executeBlocking(
        workers,
        () -> {
          if (!end.isReached(group.stats())) {
            return null;
          }
          Buffer[] reply = new Buffer[1];
          GroupStats stats = group.readHere(state -> reply[0] = processor.apply(request, state));
          return end.isReached(stats) ? reply[0] : null;
        },
        false);
  }

  private static ReplyException failure(OfferResult result) {
    return result == OfferResult.UNAVAILABLE
        ? failure(FlowFailure.NOT_IN_SYNC, "too few members are in sync")
        : failure(FlowFailure.NO_PRIMARY, "the member is not primary");
  }

  static ReplyException failure(FlowFailure failure, String text) {
    return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, failure.code(), text);
  }
}
