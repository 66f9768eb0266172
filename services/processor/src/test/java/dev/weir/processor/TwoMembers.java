package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Ports, directories and HTTP requests of members a and b, which are processes of their own. */
final class TwoMembers {
  static final List<String> NAMES = List.of("a", "b");
  private static final String PRIMARY = "processor: primary, epoch ";
  private static final int HAZELCAST = 0;
  private static final int CLIENTS = 2;
  private static final int HTTP = 4;
  private static final int MANAGEMENT = 6;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path directory;
  private final List<Integer> ports = FreePorts.find(8);

  TwoMembers(Path directory) {
    this.directory = directory;
  }

  Path directory(int member) {
    return directory.resolve(NAMES.get(member));
  }

  ChildJvm start(int member, String... more) throws IOException {
    Stream<String> arguments =
        Stream.of(
            "run",
            "--name=" + NAMES.get(member),
            "--port=" + ports.get(HAZELCAST + member),
            "--join=" + both(HAZELCAST),
            "--client-port=" + ports.get(CLIENTS + member),
            at(),
            "--http-port=" + ports.get(HTTP + member),
            "--management-port=" + ports.get(MANAGEMENT + member),
            "--data=" + directory(member));
    return MemberProcess.start(Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
  }

  /** Starts it so that a busy machine changes no roles; a member that is killed is lost at once. */
  ChildJvm startPatient(int member, String... more) throws IOException {
    Stream<String> patient = Stream.of("--lease-ms=10000", "--takeover-ms=20000");
    return start(member, Stream.concat(patient, Stream.of(more)).toArray(String[]::new));
  }

  /** Which of the two became primary last. */
  static int primary(ChildJvm a, ChildJvm b) {
    return epoch(a) > epoch(b) ? 0 : 1;
  }

  /** The last epoch in which a member was primary, 0 for none. */
  private static long epoch(ChildJvm member) {
    return member.lines().stream()
        .filter(line -> line.contains(PRIMARY))
        .mapToLong(line -> Long.parseLong(line.replaceFirst("^.*" + PRIMARY + "(\\d+).*$", "$1")))
        .max()
        .orElse(0);
  }

  /** The flag with the client ports of both. */
  String at() {
    return "--at=" + both(CLIENTS);
  }

  private String both(int kind) {
    return "127.0.0.1:" + ports.get(kind) + ",127.0.0.1:" + ports.get(kind + 1);
  }

  /** The answer to a car that is sent as JSON, with a key or without, null. */
  String post(int member, String key, long serialNumber) throws Exception {
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

  HttpResponse<byte[]> post(int member, byte[] body) throws Exception {
    HttpRequest request =
        cars(member)
            .header("Content-Type", "application/octet-stream")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, BodyHandlers.ofByteArray());
  }

  private HttpRequest.Builder cars(int member) {
    return HttpRequest.newBuilder(uri(HTTP + member, "/services/cars"));
  }

  /** What the management port of a member answers. */
  HttpResponse<String> get(int member, String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(MANAGEMENT + member, path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + ports.get(port) + path);
  }
}
