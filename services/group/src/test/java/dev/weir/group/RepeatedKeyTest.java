package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.eventbus.MessageConsumer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests with a key to a group, while the bus sends some of them to nobody: a consumer that never
 * replies stands for a member that was killed, and that the cluster still lists.
 */
@Tag("slow")
@Timeout(300)
class RepeatedKeyTest {
  private static final int KEYS = 4;
  private static final long SHORT_MS = 500;
  private static final long LONG_MS = 300_000;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger lost = new AtomicInteger();
  @TempDir private Path directory;
  private TestMember member;
  private Groups groups;
  private Gateway gateway;
  private MessageConsumer<Object> killed;

  @BeforeEach
  void serve() {
    List<Integer> ports = FreePorts.find(2);
    member = new TestMember("a", ports.get(0), ports.get(1), ports.subList(0, 1), directory);
    groups = Futures.result("groups", Groups.start(member.vertx, member.weir, member.node));
    gateway =
        Futures.result(
            "the gateway starts",
            Gateway.start(member.vertx, member.weir, new GatewayOptions().setPort(0)));
  }

  private void serve(ServiceOptions options) {
    GroupOptions group = new GroupOptions().setMembers(List.of("a"));
    Futures.result("the counter", groups.serveGroup("counter", group, options, Counter::new));
    killed = member.vertx.eventBus().consumer("counter", request -> lost.incrementAndGet());
    Futures.result("a member that answers nothing", killed.completion());
  }

  @AfterEach
  void close() {
    Futures.result("the gateway closes", gateway.close());
    Futures.result("groups", groups.close());
    member.close();
  }

  private CompletableFuture<HttpResponse<String>> post(String key, long timeoutMs) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.port() + "/services/counter"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .header("Weir-Key", "a")
            .header("Weir-Timeout-Ms", "" + timeoutMs)
            .POST(BodyPublishers.ofString("{}"))
            .build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  /** Sends requests with new keys until one is lost; returns it, with the number of the key. */
  private CompletableFuture<HttpResponse<String>> sendUntilOneIsLost(AtomicInteger keys) {
    while (true) {
      int before = lost.get();
      CompletableFuture<HttpResponse<String>> sent = post("k" + keys.incrementAndGet(), LONG_MS);
      Await.until("answered or lost", () -> sent.isDone() || lost.get() > before);
      if (lost.get() > before) {
        return sent;
      }
    }
  }

  @Test
  void aRepeatAfterTheTimeOfTheFirstGetsTheReply() {
    serve(new ServiceOptions());
    for (int count = 1; count <= KEYS; count++) {
      String key = "k" + count;
      String expected = "{\"count\":" + count + "}";
      AtomicInteger statuses = new AtomicInteger();
      Await.until(
          () -> "the reply to " + key + ", last status " + statuses,
          () -> {
            HttpResponse<String> response = post(key, SHORT_MS).join();
            statuses.set(response.statusCode());
            return response.statusCode() == 200 && response.body().equals(expected);
          });
      assertThat(post(key, SHORT_MS).join().body()).as("again").isEqualTo(expected);
    }
    assertThat(lost).as("requests that got no reply").hasPositiveValue();
  }

  @Test
  void aRepeatDoesNotWaitForTheFirst() {
    serve(new ServiceOptions());
    AtomicInteger keys = new AtomicInteger();
    CompletableFuture<HttpResponse<String>> first = sendUntilOneIsLost(keys);
    String expected = "{\"count\":" + keys + "}";
    Await.until(
        "a repeat is answered",
        () ->
            post("k" + keys, LONG_MS).completeOnTimeout(null, 2, TimeUnit.SECONDS).join() != null);
    assertThat(first.join().body()).isEqualTo(expected);
    assertThat(post("k" + keys, LONG_MS).join().body()).isEqualTo(expected);
  }

  @Test
  void aGroupThatRemembersNoIdsIsAskedOnce() {
    serve(new ServiceOptions().setDedupMaxIds(0));
    AtomicInteger keys = new AtomicInteger();
    sendUntilOneIsLost(keys);
    int before = lost.get();
    for (int repeats = 0; repeats < 2; repeats++) {
      assertThat(post("k" + keys, SHORT_MS).join().statusCode()).isEqualTo(504);
    }
    assertThat(lost).hasValue(before);
    assertThat(post("next", LONG_MS).join().body()).isEqualTo("{\"count\":" + keys + "}");
  }
}
