package dev.weir.flow;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measures how many requests get their replies in time, and how fast, when twice as many arrive as
 * the service can handle: by a service, and by other orders in which requests could be taken or
 * refused. {@code -Dweir.overload.seconds=N} for other than 20 s each.
 */
@Tag("soak")
class OverloadTest extends FlowTestBase {
  private static final int WORKERS = 8;
  private static final int HANDLING_MS = 8;
  private static final int PER_MS = 2;
  private static final int SECONDS = Integer.getInteger("weir.overload.seconds", 20);
  private static final int TIMEOUT_MS = 500;
  private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long TARGET_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private enum Discipline {
    /** Oldest first, but for those that have expired. */
    FIFO,
    /** The oldest that can still be answered in time if it is handled now. */
    FIFO_MARGIN,
    LIFO,
    /** Newest first while the queue has not been empty for an interval. */
    ADAPTIVE_LIFO,
    /** Nichols and Jacobson, 2012. */
    CODEL,
    /** Oldest first; none that has waited longer than the target while there is overload. */
    CONTROLLED_DELAY,
    /** As the service does it: oldest first, but for those that it could not answer in time. */
    SERVICE
  }

  private record Waiting(Promise<Object> reply, long sinceNs) {}

  /** A queue in front of the same number of workers, with a discipline of its own. */
  private final class Front {
    final Discipline discipline;
    final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    int busy;
    long started;
    long emptyNs = System.nanoTime();
    long firstAboveNs;
    long dropNextNs;
    long drops;
    boolean dropping;

    Front(Discipline discipline) {
      this.discipline = discipline;
    }

    Future<?> handle(ServiceMessage<Object> message) {
      Waiting waiting = new Waiting(Promise.promise(), System.nanoTime());
      queue.add(waiting);
      pump();
      return waiting.reply.future();
    }

    void pump() {
      while (busy < WORKERS) {
        Waiting next = next(System.nanoTime());
        if (next == null) {
          return;
        }
        busy++;
        started++;
        vertx.setTimer(
            HANDLING_MS,
            done -> {
              busy--;
              next.reply.complete("reply");
              pump();
            });
      }
    }

    Waiting next(long nowNs) {
      boolean overloaded = nowNs - emptyNs > INTERVAL_NS;
      while (!queue.isEmpty()) {
        boolean newest =
            discipline == Discipline.LIFO || discipline == Discipline.ADAPTIVE_LIFO && overloaded;
        Waiting next = newest ? queue.pollLast() : queue.pollFirst();
        long waitedNs = nowNs - next.sinceNs;
        if (queue.isEmpty()) {
          emptyNs = nowNs;
        }
        boolean refused =
            switch (discipline) {
              case CODEL -> codel(nowNs, waitedNs);
              case CONTROLLED_DELAY, ADAPTIVE_LIFO ->
                  waitedNs > (overloaded ? TARGET_NS : INTERVAL_NS);
              default -> false;
            };
        long marginMs = discipline == Discipline.FIFO_MARGIN ? 2 * HANDLING_MS : 0;
        if (refused || waitedNs > TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS - marginMs)) {
          next.reply.fail(new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 429, "refused"));
        } else {
          return next;
        }
      }
      return null;
    }

    private boolean codel(long nowNs, long sojournNs) {
      boolean above = false;
      if (sojournNs < TARGET_NS || queue.isEmpty()) {
        firstAboveNs = 0;
      } else if (firstAboveNs == 0) {
        firstAboveNs = nowNs + INTERVAL_NS;
      } else {
        above = nowNs >= firstAboveNs;
      }
      if (dropping) {
        if (!above) {
          dropping = false;
        } else if (nowNs >= dropNextNs) {
          drops++;
          dropNextNs += (long) (INTERVAL_NS / Math.sqrt(drops));
          return true;
        }
      } else if (above) {
        dropping = true;
        drops = nowNs - dropNextNs < 16 * INTERVAL_NS && drops > 2 ? drops - 2 : 1;
        dropNextNs = nowNs + (long) (INTERVAL_NS / Math.sqrt(drops));
        return true;
      }
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void measures(Discipline discipline) {
    Weir weir = weir(new WeirOptions());
    Front front = new Front(discipline);
    int[] handled = new int[1];
    ServiceHandler<Object> slow =
        message -> {
          handled[0]++;
          Promise<Object> reply = Promise.promise();
          vertx.setTimer(HANDLING_MS, done -> reply.complete("reply"));
          return reply.future();
        };
    boolean service = discipline == Discipline.SERVICE;
    ServiceOptions options =
        memoryOnly().setWorkers(service ? WORKERS : 1_000_000).setMemoryMessages(1_000_000);
    Context context = ((VertxInternal) vertx).createEventLoopContext();
    Promise<Service> serving = Promise.promise();
    context.runOnContext(
        now -> weir.serve("service", options, service ? slow : front::handle).onComplete(serving));
    Futures.result("serving", serving.future());

    Load load = new Load();
    Promise<Void> over = Promise.promise();
    context.runOnContext(now -> load.start(over));
    Futures.result("the load ends", over.future());
    Await.until("all have an end", () -> load.ended == load.sent);
    System.out.println(load.line(discipline, service ? handled[0] : front.started));
  }

  /** An open loop of requests. */
  private final class Load {
    final long[] latenciesNs = new long[SECONDS * 1000 * PER_MS + 1000];
    final long startNs = System.nanoTime();
    final DeliveryOptions options = new DeliveryOptions().setSendTimeout(TIMEOUT_MS);
    int answered;
    int refused;
    volatile int sent;
    volatile int ended;

    void start(Promise<Void> over) {
      vertx.setPeriodic(
          1,
          timer -> {
            long due = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNs) * PER_MS / 1000;
            while (sent < due && sent < SECONDS * 1000 * PER_MS) {
              sent++;
              send();
            }
            if (sent == SECONDS * 1000 * PER_MS) {
              vertx.cancelTimer(timer);
              over.tryComplete();
            }
          });
    }

    private void send() {
      long sinceNs = System.nanoTime();
      vertx
          .eventBus()
          .request("service", "body", options)
          .onComplete(
              done -> {
                if (done.succeeded()) {
                  latenciesNs[answered++] = System.nanoTime() - sinceNs;
                } else if (((ReplyException) done.cause()).failureCode() == 429) {
                  refused++;
                }
                ended++;
              });
    }

    String line(Discipline discipline, long started) {
      Arrays.sort(latenciesNs, 0, answered);
      return String.format(
          "%-16s answered %5.0f/s, refused %5.0f/s, handled %5.0f/s, p50 %5.1f ms, p99 %5.1f ms",
          discipline,
          (double) answered / SECONDS,
          (double) refused / SECONDS,
          (double) started / SECONDS,
          ms(0.5),
          ms(0.99));
    }

    private double ms(double part) {
      return answered == 0 ? Double.NaN : latenciesNs[(int) (part * (answered - 1))] / 1e6;
    }
  }
}
