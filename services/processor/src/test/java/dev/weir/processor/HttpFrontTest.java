package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two members, each a process, and cars that come over HTTP. */
class HttpFrontTest {
  private static final List<String> NAMES = List.of("a", "b");
  private static final int HAZELCAST = 0;
  private static final int CLIENTS = 2;
  private static final int HTTP = 4;

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private List<Integer> ports;

  @BeforeEach
  void takePorts() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }
    ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
    for (ServerSocket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void aCarWithANumberedKeyIsHandledOnceOverAFailover() throws Exception {
    try (MemberProcess a = start(0);
        MemberProcess b = start(1)) {
      a.await("a: answers HTTP");
      b.await("b: answers HTTP");
      String first = "{\"serialNumber\":1,\"odometer\":1}";
      assertThat(post(0, "7-1", 1)).isEqualTo(first);
      assertThat(post(1, "7-1", 1)).as("of the other member").isEqualTo(first);

      boolean primaryIsA = a.hasSaid("a processor: primary");
      (primaryIsA ? a : b).kill();
      int left = primaryIsA ? 1 : 0;
      assertThat(post(left, "7-1", 1)).as("after the failover").isEqualTo(first);
      assertThat(post(left, "7-2", 2)).isEqualTo("{\"serialNumber\":2,\"odometer\":2}");
      assertThat(post(left, null, 3)).isEqualTo("{\"serialNumber\":3,\"odometer\":3}");
      assertAnswersInBytes(left, 4);
      assertShowsTheGroup(left);

      MemberProcess survivor = primaryIsA ? b : a;
      survivor.terminate();
      assertThat(survivor.exitCode()).as("said %s", survivor.lines()).isZero();
      assertThat(survivor.lines()).noneMatch(line -> line.contains(" INFO com.hazelcast"));
    }
  }

  private MemberProcess start(int member) throws IOException {
    return MemberProcess.start(
        "run",
        "--name=" + NAMES.get(member),
        "--port=" + ports.get(HAZELCAST + member),
        "--join=" + both(HAZELCAST),
        "--client-port=" + ports.get(CLIENTS + member),
        "--at=" + both(CLIENTS),
        "--http-port=" + ports.get(HTTP + member),
        "--data=" + directory.resolve(NAMES.get(member)));
  }

  private String both(int kind) {
    return "127.0.0.1:" + ports.get(kind) + ",127.0.0.1:" + ports.get(kind + 1);
  }

  private String post(int member, String key, long serialNumber) throws Exception {
    HttpRequest.Builder request =
        cars(member)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"serialNumber\":" + serialNumber + "}"));
    if (key != null) {
      request.header("Idempotency-Key", key);
    }
    HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private HttpRequest.Builder cars(int member) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + ports.get(HTTP + member) + "/services/cars"));
  }

  private void assertAnswersInBytes(int member, long serialNumber) throws Exception {
    CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
    ByteBuffer car = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    int bytes = requests.encode(serialNumber, car, 0);
    byte[] body = Arrays.copyOf(car.array(), bytes);
    HttpResponse<byte[]> answer = post(member, body);
    assertThat(answer.statusCode()).isEqualTo(200);
    ByteBuffer reply = ByteBuffer.wrap(answer.body());
    assertThat(requests.isReply(reply, 0, answer.body().length, serialNumber, serialNumber))
        .isTrue();
    assertThat(post(member, new byte[] {1, 2, 3}).statusCode()).as("no car").isEqualTo(400);
  }

  private void assertShowsTheGroup(int member) throws Exception {
    assertThat(get(member, "/health/ready").statusCode()).isEqualTo(200);
    assertThat(get(member, "/metrics").body()).containsPattern("weir_group_\\w+\\{.*processor");
  }

  private HttpResponse<String> get(int member, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + ports.get(HTTP + member) + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private HttpResponse<byte[]> post(int member, byte[] body) throws Exception {
    HttpRequest request =
        cars(member)
            .header("Content-Type", "application/octet-stream")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, BodyHandlers.ofByteArray());
  }
}
