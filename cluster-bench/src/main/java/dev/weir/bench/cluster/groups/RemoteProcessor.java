package dev.weir.bench.cluster.groups;

import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.load.RoundResult;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A group in other processes, driven through a client. The driver's thread sends the messages and
 * the client's thread takes the replies, both under the lock of this object.
 */
final class RemoteProcessor implements ProcessorUnderTest {
  private final ProcessorClient client;
  private final Function<Buffer, Future<Buffer>> sending;
  private Injection current;
  private long sentAgainBefore;
  private String firstFailure;

  /** Replies that arrived while their request was being sent; handled after it. */
  private final List<Runnable> early = new ArrayList<>();

  private boolean offering;

  RemoteProcessor(Vertx vertx, String group, List<MemberAddress> members, int window) {
    client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setGroup(group)
                .setMembers(members.stream().map(MemberAddress::clients).toList())
                .setWindow(window));
    sending = client::send;
  }

  RemoteProcessor(ProcessorClient client, Function<Buffer, Future<Buffer>> sending) {
    this.client = client;
    this.sending = sending;
  }

  synchronized void begin(Injection injection) {
    current = injection;
    sentAgainBefore = client.sentAgain();
    injection.begin();
  }

  /** Sends the messages that are due and returns how many. */
  synchronized int doWork() {
    int sent = current.doWork(this);
    early.forEach(Runnable::run);
    early.clear();
    return sent;
  }

  synchronized long dueNs() {
    return current.dueNs();
  }

  /** Whether all replies have come, or none has come for too long. */
  synchronized boolean isOver() {
    return current.isDone() || current.isStuck();
  }

  synchronized RoundResult result() {
    return current.result();
  }

  /** Requests of this round that were sent again. */
  long sentAgain() {
    return client.sentAgain() - sentAgainBefore;
  }

  /** Why the first failed request failed; null if none did. */
  synchronized String firstFailure() {
    return firstFailure;
  }

  @Override
  public boolean offer(long sequence, ByteBuffer body, int offset, int length) {
    byte[] bytes = new byte[length];
    body.get(offset, bytes);
    offering = true;
    sending.apply(Buffer.buffer(bytes)).onComplete(result -> end(sequence, result));
    offering = false;
    return true;
  }

  /** Takes the result of a request; called within {@link #offer} if it is there at once. */
  private synchronized void end(long sequence, AsyncResult<Buffer> result) {
    if (offering) {
      early.add(() -> end(sequence, result));
    } else if (result.succeeded()) {
      byte[] reply = result.result().getBytes();
      current.onReply(sequence, ByteBuffer.wrap(reply), 0, reply.length);
    } else if (firstFailure == null) {
      firstFailure = result.cause().getMessage();
    }
  }

  /** Does nothing: the client's thread takes the replies. */
  @Override
  public int poll(Replies replies) {
    return 0;
  }

  @Override
  public void close() {
    client.close().await();
  }
}
