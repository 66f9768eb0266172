package dev.weir.cluster.state;

import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.RejectedMessageException;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.ChunkedBytes;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles messages by event sourcing: log entries are the messages, and every replica handles them.
 */
public final class EventSourcing implements Handling {
  private static final Logger LOG = LoggerFactory.getLogger(EventSourcing.class);

  /** The first longer stop of the group is logged. */
  private static final int MAX_COPY_MS = 20;

  private final EventSourcedProcessor processor;
  private final int maxMessageBytes;
  private final Request replayed = new Request();
  private final ReplyRoom reply;
  private boolean warned;

  public EventSourcing(EventSourcedProcessor processor, Sessions sessions, int maxMessageBytes) {
    this.maxMessageBytes = maxMessageBytes;
    this.processor = processor;
    this.reply = new ReplyRoom(sessions);
  }

  @Override
  public int accept(Request request, long timeMs, ByteBuffer entry, int at) {
    int bytes = request.length();
    entry.put(at, request.buffer(), request.offset(), bytes);
    handle(request.movedTo(entry, at).at(timeMs));
    return bytes;
  }

  @Override
  public boolean rollBack(Throwable cause) {
    return cause instanceof RejectedMessageException;
  }

  @Override
  public int maxEntryBytes() {
    return maxMessageBytes;
  }

  @Override
  public void replay(ByteBuffer batch, int message, long timeMs, int version) {
    handle(
        replayed
            .set(
                Batch.clientId(batch, message),
                Batch.sequence(batch, message),
                batch,
                Batch.body(message),
                Batch.bodyBytes(batch, message))
            .in(version)
            .at(timeMs));
  }

  @Override
  public int version() {
    return processor.version();
  }

  private void handle(Request request) {
    reply.begin(request);
    processor.onMessage(request, reply);
    reply.end();
  }

  /** The processor's own view, or a copy of the state, which takes as long as copying. */
  @Override
  public StateView view() throws IOException {
    StateView view = processor.view();
    if (view != null) {
      return view;
    }
    long startNs = System.nanoTime();
    ChunkedBytes copy = new ChunkedBytes();
    processor.save(new DataOutputStream(copy));
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    if (tookMs > MAX_COPY_MS && !warned) {
      warned = true;
      LOG.warn(
          "the group stood still for {} ms while {} bytes of its state were copied: its processor"
              + " should return a view, as a ViewableState has it;"
              + " weir_group_snapshot_pause_max_seconds has the longest such stop",
          tookMs,
          copy.size());
    }
    return copy::writeTo;
  }

  @Override
  public void restore(DataInput in) throws IOException {
    processor.restore(in);
  }
}
