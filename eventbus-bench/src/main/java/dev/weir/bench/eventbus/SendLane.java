package dev.weir.bench.eventbus;

import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.verify.Verdict;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.ServiceStats;
import dev.weir.flow.Weir;
import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;

/**
 * Messages that must not be lost: an operation ends when the message is accepted durably. The
 * service handles and acknowledges them meanwhile; a round is over when it has got them all.
 */
final class SendLane extends Lane {
  private final Weir weir;
  private final String address;
  private final Durability durability;

  /** Starts the receiving end. */
  SendLane(
      Stage stage,
      ContextInternal sender,
      ContextInternal receiver,
      String address,
      Bodies bodies,
      Durability durability)
      throws InterruptedException {
    super(sender, bodies);
    this.weir = stage.weir();
    this.address = address;
    this.durability = durability;
    ServiceOptions options = new ServiceOptions().setWorkers(RequestPath.WORKERS);
    receivedBy(
        stage.serve(
            receiver,
            address,
            options,
            message -> {
              arrived(message.body());
              return Future.succeededFuture();
            }));
  }

  @Override
  public void send(long operation, long startTimeNs, ReplySink sink) {
    Object body = bodies.take(operation);
    Future<Void> accepted = weir.send(address, body, durability);
    // A mutable body may be changed again as soon as send has returned; the next operation does.
    bodies.giveBack(body);
    accepted.onComplete(
        (ignored, failure) -> {
          if (failure != null) {
            sink.onFailure(operation, startTimeNs, failure);
          } else {
            sink.onReply(operation, startTimeNs, Reply.OK);
          }
        });
  }

  /** What is accepted as durable must have been written, each message. */
  @Override
  Verdict furtherVerdict(ServiceStats stats, long sent) {
    return Verdict.ok().unless(stats.written() == sent, "written " + stats.written());
  }
}
