package dev.weir.queue.line;

import dev.weir.queue.Completion;
import dev.weir.queue.LossListener;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls what users gave us; what they throw ends here, because others wait for the same thread. */
public final class Tell {
  private static final Logger LOG = LoggerFactory.getLogger(Tell.class);

  private Tell() {}

  public static void completed(Completion completion, QueueException failure) {
    try {
      completion.complete(failure);
    } catch (Throwable e) {
      LOG.error("a completion threw", e);
    }
  }

  public static void completed(Completion completion, long sequence) {
    try {
      completion.complete(sequence);
    } catch (Throwable e) {
      LOG.error("a completion threw", e);
    }
  }

  public static void lost(LossListener listener, List<PacketLine.Lost> losses) {
    for (PacketLine.Lost lost : losses) {
      lost(listener, lost.attachment(), lost.reason());
    }
  }

  private static void lost(LossListener listener, Object attachment, Reason reason) {
    try {
      listener.lost(attachment, reason);
    } catch (Throwable e) {
      LOG.error("a loss listener threw", e);
    }
  }

  public static void readable(Runnable listener) {
    try {
      listener.run();
    } catch (Throwable e) {
      LOG.error("a listener for readable messages threw", e);
    }
  }
}
