package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.threadchecker.BlockedThreadChecker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventLoopTest extends FlowTestBase {
  private static final long FLOOD_S = 240;

  private final BlockedStacks blocked = new BlockedStacks();
  private final Logger checker = Logger.getLogger(BlockedThreadChecker.LOGGER_NAME);

  @BeforeEach
  void watchEventLoops() {
    Futures.result("the default vert.x closes", vertx.close());
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setBlockedThreadCheckInterval(5)
                .setMaxEventLoopExecuteTime(20)
                .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
                .setWarningExceptionTime(20)
                .setWarningExceptionTimeUnit(TimeUnit.MILLISECONDS));
    checker.addHandler(blocked);
  }

  @AfterEach
  void stopWatching() {
    checker.removeHandler(blocked);
  }

  @Test
  void underOverflowNoBlockedEventLoopEverShowsTheStoreOrAFile() {
    Service service =
        serve(
            weir(),
            "flood",
            new ServiceOptions().setWorkers(20).setMemoryMessages(20).setWriteThrough(true),
            message -> {
              Promise<Object> reply = Promise.promise();
              vertx.runOnContext(ignored -> reply.complete(true));
              return reply.future();
            });
    Promise<Integer> answered = Promise.promise();
    vertx.runOnContext(ignored -> new Flood(vertx, answered, 40_000, 2_000).start());
    Await.until("the flood is answered", FLOOD_S, answered.future()::isComplete);
    assertThat(Futures.result("flood", answered.future())).isEqualTo(40_000);
    Await.until("most are written", () -> service.stats().written() > 20_000);
    assertThat(blocked.stacks).noneMatch(BlockedStacks::showsStoreOrFile);
  }

  @Test
  void theCheckFindsAnEventLoopThatDoesTouchAFile() {
    vertx.runOnContext(
        ignored -> {
          try (FileChannel file =
              FileChannel.open(
                  directory.resolve("x"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!blocked.showStoreOrFile() && System.nanoTime() - endNs < 0) {
              file.write(ByteBuffer.allocate(4096), 0);
              file.force(true);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    Await.until("the blocked file access is seen", blocked::showStoreOrFile);
  }

  private record Flood(
      Vertx vertx, Promise<Integer> answered, int total, int inFlight, int[] counts) {
    Flood(Vertx vertx, Promise<Integer> answered, int total, int inFlight) {
      this(vertx, answered, total, inFlight, new int[2]);
    }

    void start() {
      for (int i = 0; i < inFlight; i++) {
        next();
      }
    }

    private void next() {
      counts[0]++;
      Future<Message<Object>> reply =
          vertx.eventBus().request("flood", Buffer.buffer(new byte[2000]));
      reply.onComplete(
          done -> {
            if (done.failed()) {
              answered.tryFail(done.cause());
            } else if (++counts[1] == total) {
              answered.complete(total);
            } else if (counts[0] < total) {
              next();
            }
          });
    }
  }

  /** Collects the stack traces of blocked threads that Vert.x logs. */
  private static final class BlockedStacks extends Handler {
    final Queue<Throwable> stacks = new ConcurrentLinkedQueue<>();
    private static final List<String> STORE_OR_FILE =
        List.of(
            "com.sleepycat.", "java.io.", "sun.nio.ch.FileChannel", "sun.nio.ch.FileDispatcher");

    /**
     * A class is read from its file when it is used first, by whoever does; and a line of the log
     * waits for whoever reads it.
     */
    private static final List<String> NOT_OURS =
        List.of("java.lang.ClassLoader", "jdk.internal.loader.", "java.util.logging.");

    boolean showStoreOrFile() {
      return stacks.stream().anyMatch(BlockedStacks::showsStoreOrFile);
    }

    static boolean showsStoreOrFile(Throwable stack) {
      return shows(stack, STORE_OR_FILE) && !shows(stack, NOT_OURS);
    }

    private static boolean shows(Throwable stack, List<String> classes) {
      return Arrays.stream(stack.getStackTrace())
          .anyMatch(frame -> classes.stream().anyMatch(frame.getClassName()::startsWith));
    }

    @Override
    public void publish(LogRecord entry) {
      if (entry.getThrown() != null) {
        stacks.add(entry.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
