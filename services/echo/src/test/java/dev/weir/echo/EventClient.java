package dev.weir.echo;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Posts events one by one, every second one with a key; repeats what got no answer, or no for now.
 */
final class EventClient extends Thread {
  private static final Set<Integer> FOR_NOW = Set.of(429, 503, 507, 520);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final URI events;
  private final Map<String, String> accepted = new ConcurrentHashMap<>();
  private volatile boolean stopped;
  private volatile String unexpected;

  EventClient(String name, int port) {
    super("client-" + name);
    this.events = URI.create("http://127.0.0.1:" + port + "/services/echo.events/events");
  }

  @Override
  public void run() {
    for (int i = 0; !stopped; i++) {
      String event = getName() + "-" + i;
      String id = post(event, hasKey(event));
      while (id == null && !stopped) {
        pause();
        id = post(event, hasKey(event));
      }
      if (id != null) {
        accepted.put(event, id);
      }
    }
  }

  static boolean hasKey(String event) {
    return (event.charAt(event.length() - 1) - '0') % 2 == 0;
  }

  /** The id of an event that was accepted; null if it is to be posted again. */
  private String post(String event, boolean key) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(events)
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(event));
    if (key) {
      request.header("Idempotency-Key", event);
    }
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() == 202) {
        return new JsonObject(answer.body()).getString("id");
      }
      if (!FOR_NOW.contains(answer.statusCode())) {
        unexpected = answer.statusCode() + " " + answer.body();
      }
      return null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      stopped = true;
      return null;
    }
  }

  /** The server may be down for a second or two: enough to try some hundred times in vain. */
  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      stopped = true;
    }
  }

  int acceptedCount() {
    return accepted.size();
  }

  /** Ids by event, of all that got 202. */
  Map<String, String> end() throws InterruptedException {
    stopped = true;
    join();
    return accepted;
  }

  /** An answer that no client should ever get; null if there was none. */
  String unexpected() {
    return unexpected;
  }
}
