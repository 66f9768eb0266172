package dev.weir.queue.line;

import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import dev.weir.queue.Completion;
import dev.weir.queue.LossListener;
import dev.weir.queue.QueueException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs user callbacks and logs what they throw, so that one failing callback cannot stop the others
 * or a thread of the store. Called without the queue's lock.
 */
public final class UserCallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(UserCallbacks.class);

  private UserCallbacks() {}

  /** Senders of one message: a list, because a chain of very many would be too deep to call. */
  private record Senders(List<Completion> all) implements Completion {
    @Override
    public void complete(QueueException failure) {
      all.forEach(each -> UserCallbacks.complete(each, failure));
    }
  }

  /** One completion for two senders of a message; either may be the result of an earlier call. */
  static Completion join(Completion first, Completion too) {
    Senders senders =
        first instanceof Senders known ? known : new Senders(new ArrayList<>(List.of(first)));
    senders.all.add(too);
    return senders;
  }

  /** Completes a send that failed, or that needs no sequence if {@code failure} is null. */
  public static void complete(Completion completion, QueueException failure) {
    try {
      completion.complete(failure);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("a completion threw", UserFailure.forLog(e));
    }
  }

  /** Completes a send whose message has the given sequence. */
  public static void complete(Completion completion, long sequence) {
    try {
      completion.complete(sequence);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("a completion threw", UserFailure.forLog(e));
    }
  }

  /** Reports the attachments whose messages will not be delivered. */
  public static void lost(LossListener listener, List<PacketLine.Lost> losses) {
    for (PacketLine.Lost lost : losses) {
      try {
        listener.lost(lost.attachment(), lost.reason());
      } catch (Throwable e) {
        HeapExhaustion.report(e);
        LOG.error("a loss listener threw", UserFailure.forLog(e));
      }
    }
  }

  /** Tells a consumer that messages can be polled. */
  public static void readable(Runnable listener) {
    try {
      listener.run();
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("a listener for readable messages threw", UserFailure.forLog(e));
    }
  }
}
