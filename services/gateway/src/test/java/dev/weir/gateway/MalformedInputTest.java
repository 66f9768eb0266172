package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.MalformedInput.Attempt;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.ResourceLeakDetector;
import io.vertx.core.Future;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MalformedInputTest extends GatewayTestBase {
  private static final long SEED = 20_261_121;
  private static final int GOOD_EVERY = 100;
  private static final int SLOW_CLIENTS = 10;
  private static final long MAX_GROWTH_BYTES = 32L << 20;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})");

  private final Logger root = Logger.getLogger("");
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
  private final Handler collector = new Collector();
  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();

  @Override
  GatewayOptions options() {
    return super.options().setLimits(new LimitOptions().setHeaderTimeoutMs(2_000));
  }

  @BeforeEach
  void watchErrorsAndLeaks() {
    root.addHandler(collector);
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  @AfterEach
  void watchNoMore() {
    ResourceLeakDetector.setLevel(level);
    root.removeHandler(collector);
  }

  @Test
  void staysWellWhateverIsSent() throws Exception {
    run(500, 2_000);
  }

  @Test
  @Tag("soak")
  @Timeout(1_200)
  void staysWellWhateverIsSentForLong() throws Exception {
    run(5_000, 50_000);
  }

  private void run(int warmUp, int tries) throws Exception {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    serve("keep", new ServiceOptions(), message -> Future.succeededFuture());
    MalformedInput input = new MalformedInput(SEED);
    List<String> statuses = new ArrayList<>();
    tryAll(input, warmUp, statuses);
    awaitRest();
    List<String> threads = threads();
    long directBytes = directBytes();

    List<RawClient> slow = slowClients();
    tryAll(input, tries, statuses);
    for (RawClient client : slow) {
      assertThat(client.isClosed()).isTrue();
      client.close();
    }
    awaitRest();

    assertThat(statuses).as("seen").contains("200", "202", "400", "404", "414", "431");
    assertThat(gateway.guardStats().headerTimeouts()).isGreaterThanOrEqualTo(SLOW_CLIENTS);
    assertThat(threads()).as("threads, were %s", threads).hasSizeLessThanOrEqualTo(threads.size());
    assertThat(directBytes() - directBytes).as("direct memory").isLessThan(MAX_GROWTH_BYTES);
    collectLeaks();
    assertThat(errors).as("errors and leaks that were logged").isEmpty();
  }

  private void tryAll(MalformedInput input, int tries, List<String> statuses) throws Exception {
    for (int i = 0; i < tries; i++) {
      Attempt attempt = input.next();
      String answer = send(attempt);
      Matcher status = STATUS.matcher(answer);
      while (status.find()) {
        assertThat(status.group(1))
            .as("the answer to try %d of seed %d, %s: %s", i, SEED, attempt.kind(), answer)
            .isNotEqualTo("500");
        statuses.add(status.group(1));
      }
      if (i % GOOD_EVERY == 0) {
        assertStillServes();
      }
    }
  }

  private String send(Attempt attempt) throws IOException {
    try (RawClient client = new RawClient(gateway.port())) {
      try {
        client.send(attempt.bytes());
        if (attempt.answered()) {
          String first = client.line();
          client.endOutput();
          return first + client.rest();
        }
        client.endOutput();
      } catch (IOException e) {
        // It closes before it has read all: that is its right.
      }
      return client.rest();
    }
  }

  private void assertStillServes() {
    assertThat(send(postJson("/services/echo", "{\"a\":1}")).body()).isEqualTo("{\"a\":1}");
    assertThat(send(postJson("/services/keep/events", "{}")).statusCode()).isEqualTo(202);
  }

  private List<RawClient> slowClients() throws IOException {
    List<RawClient> slow = new ArrayList<>();
    for (int i = 0; i < SLOW_CLIENTS; i++) {
      slow.add(new RawClient(gateway.port()).send("POST /services/echo HTTP/1.1\r\nX"));
    }
    return slow;
  }

  /** Only the connections of the good client may be left. */
  private void awaitRest() {
    Await.until("no request in flight", () -> gateway.guardStats().requestsInFlight() == 0);
    Await.until("no request in handling", () -> gateway.inFlight() == 0);
    Await.until("no body in flight", () -> gateway.guardStats().bodyBytesInFlight() == 0);
    Await.until("no connection left", () -> gateway.guardStats().connections() <= 1);
  }

  /** Without those of the pools, which start as they are needed. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.startsWith("vert.x-worker") && !name.startsWith("HttpClient"))
        .filter(name -> !name.startsWith("vert.x-eventloop") && !name.startsWith("vert.x-internal"))
        .toList();
  }

  private static long directBytes() {
    return Stream.of(VertxByteBufAllocator.POOLED_ALLOCATOR, ByteBufAllocator.DEFAULT)
        .distinct()
        .mapToLong(each -> ((ByteBufAllocatorMetricProvider) each).metric().usedDirectMemory())
        .sum();
  }

  /** A buffer that was lost is found by the next allocations after it has been collected. */
  private void collectLeaks() {
    for (int i = 0; i < 5; i++) {
      System.gc();
      assertStillServes();
    }
  }

  private final class Collector extends Handler {
    @Override
    public void publish(LogRecord line) {
      if (line.getLevel().intValue() >= Level.SEVERE.intValue() && !isVertxOnHttp2(line)) {
        Throwable thrown = line.getThrown();
        errors.add(
            line.getLoggerName() + " " + line.getMessage() + (thrown == null ? "" : " " + thrown));
      }
    }

    /** A line for each client that begins HTTP/2 wrongly; nothing that could be listened to. */
    private boolean isVertxOnHttp2(LogRecord line) {
      return "io.vertx.core.net.impl.ConnectionBase".equals(line.getLoggerName())
          && line.getThrown() == null;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
