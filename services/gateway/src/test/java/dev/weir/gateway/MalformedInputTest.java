package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.MalformedInput.Attempt;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.TrustAll;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.ResourceLeakDetector;
import io.vertx.core.Future;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
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
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@NeedsVertx50
class MalformedInputTest extends GatewayTestBase {
  private static final long SEED = 20_261_121;
  private static final int GOOD_EVERY = 100;

  /** Tries over TLS cost a handshake each. */
  private static final int SECURE_EVERY = 10;

  private static final int MALFORMED_TLS_EVERY = 2;
  private static final int SLOW_CLIENTS = 10;

  /** Also for a first handshake on a busy machine. */
  private static final long HEADER_MS = 10_000;

  private static final long MAX_GROWTH_BYTES = 32L << 20;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})");

  private static final List<String> SECURE_STATUSES = List.of("200", "400", "404");

  private final Logger root = Logger.getLogger("");
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
  private final Handler collector = new Collector();
  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
  private final List<String> statuses = new ArrayList<>();
  private final List<String> secureStatuses = new ArrayList<>();
  private final MalformedInput input = new MalformedInput(SEED);
  private SSLContext tls;
  private MalformedTls tlsInput;
  private HttpClient secureClient;
  private Gateway secure;

  @Override
  GatewayOptions options() {
    return super.options().setLimits(new LimitOptions().setHeaderTimeoutMs(HEADER_MS));
  }

  @BeforeEach
  void watchErrorsAndLeaks() {
    root.addHandler(collector);
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  @BeforeEach
  void startSecureGateway() throws Exception {
    TlsOptions files =
        new TlsOptions()
            .setCertificateFile(directory.resolve("cert.pem").toString())
            .setKeyFile(directory.resolve("key.pem").toString());
    TestCertificate.of("weir", directory).write(files);
    secure =
        Futures.result(
            "the secure gateway starts", Gateway.start(vertx, weir, options().setTls(files)));
    tls = TrustAll.context();
    tlsInput = new MalformedTls(SEED, tls);
    secureClient =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
  }

  @AfterEach
  void watchNoMore() {
    Futures.result("the secure gateway closes", secure.close());
    ResourceLeakDetector.setLevel(level);
    root.removeHandler(collector);
  }

  @Test
  @Timeout(900)
  void staysWellWhateverIsSent() throws Exception {
    run(300, 1_000);
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
    tryAll(warmUp);
    awaitRest();
    List<String> threads = threads();
    long directBytes = directBytes();

    List<RawClient> slow = slowClients();
    tryAll(tries);
    // What is sent is chosen at random: a few hundred may not have had all of it.
    for (int more = 0; more < 20 && !secureStatuses.containsAll(SECURE_STATUSES); more++) {
      tryAll(tries / 4);
    }
    for (RawClient client : slow) {
      assertThat(client.isClosed()).isTrue();
      client.close();
    }
    awaitRest();

    assertThat(statuses).as("seen").contains("200", "202", "400", "404", "414", "431");
    assertThat(secureStatuses).as("seen over TLS").containsAll(SECURE_STATUSES);
    for (Gateway each : List.of(gateway, secure)) {
      assertThat(each.guardStats().headerTimeouts()).isGreaterThanOrEqualTo(SLOW_CLIENTS);
    }
    Await.until(
        () -> "no more threads than " + threads + ": " + threads(),
        () -> threads().size() <= threads.size());
    assertThat(directBytes() - directBytes).as("direct memory").isLessThan(MAX_GROWTH_BYTES);
    collectLeaks();
    assertThat(errors).as("errors and leaks that were logged").isEmpty();
  }

  private void tryAll(int tries) throws Exception {
    for (int i = 0; i < tries; i++) {
      if (i % SECURE_EVERY > 0) {
        send(i, input.next(), new RawClient(gateway.port()), statuses);
      } else if (i / SECURE_EVERY % MALFORMED_TLS_EVERY > 0) {
        send(i, input.next(), new RawClient(secure.port()).startTls(tls), secureStatuses);
      } else {
        send(tlsInput.next());
      }
      if (i % GOOD_EVERY == 0) {
        assertStillServes();
      }
    }
  }

  private static void send(int i, Attempt attempt, RawClient client, List<String> statuses)
      throws IOException {
    String answer = answer(attempt, client);
    Matcher status = STATUS.matcher(answer);
    while (status.find()) {
      assertThat(status.group(1))
          .as("the answer to try %d of seed %d, %s: %s", i, SEED, attempt.kind(), answer)
          .isNotEqualTo("500");
      statuses.add(status.group(1));
    }
  }

  private static String answer(Attempt attempt, RawClient connected) throws IOException {
    try (RawClient client = connected) {
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

  private void send(MalformedTls.Attempt attempt) throws IOException {
    try (RawClient client = new RawClient(secure.port())) {
      if (attempt.handshaken()) {
        client.startTls(tls);
      }
      try {
        client.sendOverTcp(attempt.bytes()).endOutput();
      } catch (IOException e) {
        // As above.
      }
      assertThat(client.rest()).as(attempt.kind()).doesNotContain("HTTP/1.1 500");
    }
  }

  private void assertStillServes() throws Exception {
    assertThat(send(postJson("/services/echo", "{\"a\":1}")).body()).isEqualTo("{\"a\":1}");
    assertThat(send(postJson("/services/keep/events", "{}")).statusCode()).isEqualTo(202);
    HttpRequest health =
        HttpRequest.newBuilder(URI.create("https://localhost:" + secure.port() + "/health/live"))
            .timeout(Duration.ofSeconds(30))
            .build();
    assertThat(secureClient.send(health, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  /** As many on each gateway; over TLS some in the handshake, some after it. */
  private List<RawClient> slowClients() throws IOException {
    String beginning = "POST /services/echo HTTP/1.1\r\nX";
    List<RawClient> slow = new ArrayList<>();
    for (int i = 0; i < SLOW_CLIENTS; i++) {
      slow.add(new RawClient(gateway.port()).send(beginning));
      RawClient client = new RawClient(secure.port());
      slow.add(i % 2 == 0 ? client.startTls(tls).send(beginning) : client.send("\u0016\u0003"));
    }
    return slow;
  }

  /** Only the connections of the good clients may be left. */
  private void awaitRest() {
    for (Gateway each : List.of(gateway, secure)) {
      Await.until("no request in flight", () -> each.guardStats().requestsInFlight() == 0);
      Await.until("no request in handling", () -> each.inFlight() == 0);
      Await.until("no body in flight", () -> each.guardStats().bodyBytesInFlight() == 0);
      Await.until("no connection left", () -> each.guardStats().connections() <= 1);
    }
  }

  /** Without those of the pools, which start as they are needed. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.startsWith("vert.x-worker") && !name.startsWith("HttpClient"))
        .filter(name -> !name.startsWith("vert.x-eventloop") && !name.startsWith("vert.x-internal"))
        .filter(name -> !name.startsWith("ForkJoinPool.commonPool"))
        .toList();
  }

  private static long directBytes() {
    return Stream.of(VertxByteBufAllocator.POOLED_ALLOCATOR, ByteBufAllocator.DEFAULT)
        .distinct()
        .mapToLong(each -> ((ByteBufAllocatorMetricProvider) each).metric().usedDirectMemory())
        .sum();
  }

  /** A buffer that was lost is found by the next allocations after it has been collected. */
  private void collectLeaks() throws Exception {
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
