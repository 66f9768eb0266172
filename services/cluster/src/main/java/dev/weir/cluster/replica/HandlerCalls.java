package dev.weir.cluster.replica;

import dev.weir.cluster.RejectedMessageException;
import dev.weir.cluster.RejectionListener;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.state.Handling;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Request;
import dev.weir.cluster.transport.Frames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.slf4j.LoggerFactory;

/**
 * Has the primary's messages handled and adds them to the open batch. A message whose handler
 * throws is added as rejected: no replica handles it again. Under the group's lock.
 */
final class HandlerCalls {
  private static final int MAX_REASON_BYTES = 256;

  private final History history;
  private final Handling handling;
  private final BatchAccumulator batch;
  private final int maxReasonBytes;
  private final RejectionListener listener;
  private final FailureLog failures;
  private long rejected;
  private long rebuilds;

  /**
   * @param maxReplyBytes bounds the reason that a client gets
   */
  HandlerCalls(
      String group,
      History history,
      BatchAccumulator batch,
      int maxReplyBytes,
      RejectionListener listener) {
    this.history = history;
    this.handling = history.handling();
    this.batch = batch;
    this.maxReasonBytes = Math.min(MAX_REASON_BYTES, maxReplyBytes);
    this.listener = listener;
    this.failures = new FailureLog(LoggerFactory.getLogger(HandlerCalls.class), group);
  }

  /**
   * Handles a message, which is the next of its client; the batch must be open.
   *
   * @return false if the state may be half changed, so that {@link #rebuild} must follow
   * @throws LogException if the disk failed meanwhile, whatever the handler made of it: another
   *     member may handle the message
   */
  boolean handle(Request request) {
    int bytes;
    try {
      bytes =
          handling.accept(
              request.in(batch.version()), batch.timeMs(), batch.buffer(), batch.room());
    } catch (Throwable e) {
      history.log().checkUsable();
      return reject(request, e);
    }
    history.log().checkUsable();
    batch.add(request.clientId(), request.sequence(), bytes);
    return true;
  }

  /** Rebuilds the state from the log and the open batch, if there is one. */
  void rebuild() {
    if (batch.isEmpty()) {
      history.rebuild();
    } else {
      history.rebuild(batch.buffer(), Frames.HEADER_BYTES);
    }
    rebuilds++;
  }

  private boolean reject(Request request, Throwable cause) {
    byte[] reason = reason(cause);
    report(request, cause);
    boolean whole = handling.rollBack(cause);
    batch.buffer().put(batch.room(), reason);
    history
        .sessions()
        .reject(request.clientId(), request.sequence(), ByteBuffer.wrap(reason), 0, reason.length);
    batch.addRejected(request.clientId(), request.sequence(), reason.length);
    rejected++;
    return whole;
  }

  private void report(Request request, Throwable cause) {
    failures.add(
        "rejects message "
            + request.sequence()
            + " of client "
            + request.clientId()
            + ", because its handler threw",
        cause);
    try {
      listener.onRejected(request, cause);
    } catch (Throwable e) {
      failures.add("the listener for rejected messages threw", e);
    }
  }

  private byte[] reason(Throwable cause) {
    byte[] text = text(cause).getBytes(StandardCharsets.UTF_8);
    if (text.length <= maxReasonBytes) {
      return text;
    }
    int end = maxReasonBytes;
    while (end > 0 && (text[end] & 0xC0) == 0x80) {
      // Not within a character.
      end--;
    }
    return Arrays.copyOf(text, end);
  }

  private static String text(Throwable cause) {
    try {
      String text =
          cause instanceof RejectedMessageException ? cause.getMessage() : cause.toString();
      return text == null ? cause.getClass().getName() : text;
    } catch (Throwable e) {
      // An exception of a user may throw where it describes itself.
      return cause.getClass().getName();
    }
  }

  /** Number of messages rejected as primary. */
  long rejected() {
    return rejected;
  }

  /** How often the state was rebuilt from the log, because a handler threw in the middle. */
  long rebuilds() {
    return rebuilds;
  }
}
