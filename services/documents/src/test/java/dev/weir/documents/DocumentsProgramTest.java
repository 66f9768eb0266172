package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.DocumentFailure;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.LargePut;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in a process with a small heap, as its users treat it. */
@Tag("slow")
class DocumentsProgramTest {
  private static final Pattern READY = Pattern.compile("documents: ready at (http://[^ ]+/)");
  private static final Pattern MANAGEMENT =
      Pattern.compile("documents: management at (http://[^ ]+/)");
  private static final String CONF =
      "{'documents':{'factories':{'cars':{'indexes':['color']},'log':{'changeLogBytes':1048576}}}}";

  @TempDir private Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private String url;
  private String management;

  private ChildJvm start(Map<String, String> environment, String... more) {
    List<String> args = new ArrayList<>(List.of("--http-port=0", "--management-port=0"));
    args.add("--data=" + directory.resolve("data"));
    args.add("-conf=" + CONF.replace('\'', '"'));
    args.addAll(Arrays.asList(more));
    ChildJvm program =
        ChildJvm.of(DocumentsMain.class)
            .flags("-Xmx64m")
            .environment(environment)
            .mergeErrors()
            .start(args.toArray(String[]::new));
    String manage = program.awaitLine("management", each -> MANAGEMENT.matcher(each).matches());
    management = MANAGEMENT.matcher(manage).replaceAll("$1");
    String line = program.awaitLine("ready", each -> READY.matcher(each).matches());
    assertThat(line).as("%s", program.lines()).isNotNull();
    Matcher matcher = READY.matcher(line);
    assertThat(matcher.matches()).isTrue();
    url = matcher.group(1);
    return program;
  }

  private HttpResponse<String> send(
      String method, String path, BodyPublisher body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, BodyPublishers.noBody());
  }

  private int put(String key, BodyPublisher body) throws Exception {
    return send("PUT", "documents/cars/" + key, body).statusCode();
  }

  @Test
  void keepsDocumentsOverAKillAndRefusesWhatIsTooMuch() throws Exception {
    try (ChildJvm program = start(Map.of())) {
      assertThat(put("a", BodyPublishers.ofString("{\"color\":\"red\"}"))).isEqualTo(201);
      assertThat(put("b", BodyPublishers.ofString("{\"color\":"))).isEqualTo(400);
      assertProblem(413, "the key has 4000 characters", "PUT", "/" + "k".repeat(4_000), "{}");
      // The gateway takes no request line of 10 KB.
      assertProblem(414, "8192", "PUT", "/" + "k".repeat(10_000), "{}");
      assertThat(put("b", large(900_000))).isEqualTo(201);
      HttpResponse<String> unknown = get("documents/cars?filter=price%3D1");
      assertThat(unknown.statusCode()).isEqualTo(400);
      assertThat(unknown.body()).contains("has no index on price");
      assertHugeIsRefused();
      assertThat(get("documents/nothing/a").statusCode()).isEqualTo(404);
      HttpRequest metrics = HttpRequest.newBuilder(URI.create(management + "metrics")).build();
      assertThat(client.send(metrics, BodyHandlers.ofString()).body())
          .contains("weir_factory_documents{factory=\"cars\"} 2")
          .contains("weir_factory_queries_total{factory=\"cars\",outcome=\"refused\"} 1");
      program.kill();
    }
    try (ChildJvm program = start(Map.of())) {
      assertThat(get("documents/cars/a").body()).isEqualTo("{\"color\":\"red\"}");
      HttpResponse<String> found = get("documents/cars?filter=color%3D%27red%27");
      assertThat(new JsonObject(found.body()).getJsonArray("documents")).hasSize(1);
      assertThat(new JsonObject(get("documents").body()).getJsonArray("factories")).hasSize(3);
      program.terminate();
      assertThat(program.exitCode()).isZero();
    }
  }

  /** With a heap of 64 MB, each refused with a problem. */
  @Test
  void badInputChangesNothing() throws Exception {
    try (ChildJvm program = start(Map.of())) {
      assertThat(put("a", BodyPublishers.ofString("{\"color\":\"red\"}"))).isEqualTo(201);
      assertProblem(400, "the body is not a JSON object", "PUT", "/a", "{\"color\":");
      assertProblem(400, "the body is not a JSON object", "PUT", "/a", "[".repeat(100_000));
      assertProblem(413, "allowed are", "PUT", "/a", "{\"t\":\"" + "x".repeat(1 << 20) + "\"}");
      assertProblem(400, "If-Match is 7", "DELETE", "/a", "", "If-Match", "7");
      assertProblem(412, "version 1", "DELETE", "/a", "", "If-Match", "\"7\"");
      assertProblem(
          409,
          "operation 1 of the patch failed",
          "PATCH",
          "/a",
          "[{\"op\":\"add\",\"path\":\"/km\",\"value\":1},{\"op\":\"remove\",\"path\":\"/x\"}]",
          "Content-Type",
          "application/json-patch+json");
      assertProblem(
          400,
          "the body is not a JSON object",
          "PATCH",
          "/a",
          "[]",
          "Content-Type",
          "application/merge-patch+json");
      assertProblem(415, "application/merge-patch+json", "PATCH", "/a", "{}");
      assertProblem(400, "has no action fly", "POST", "/a/actions/fly", "{}");
      assertProblem(400, "has no index on price", "GET", "?filter=price%3D1", "");
      assertProblem(400, "the filter has a mistake", "GET", "?filter=color%3D", "");
      assertProblem(
          400, "has no log of changes", "GET", "/changes", "", "Accept", "text/event-stream");
      for (int i = 0; i < 3; i++) {
        assertHugeIsRefused();
      }
      HttpResponse<String> after = get("documents/cars/a");
      assertThat(after.body()).isEqualTo("{\"color\":\"red\"}");
      assertThat(after.headers().firstValue("etag")).contains("\"1\"");
      assertThat(get("documents/cars?count=true").body()).isEqualTo("{\"count\":1}");
      assertThat(program.isAlive()).isTrue();
      program.terminate();
      assertThat(program.exitCode()).isZero();
    }
  }

  /** A problem with the code of the failure; the gateway and a wrong type have none. */
  private void assertProblem(
      int status, String detail, String method, String path, String body, String... headers)
      throws Exception {
    HttpResponse<String> response =
        send(method, "documents/cars" + path, BodyPublishers.ofString(body), headers);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    JsonObject problem = new JsonObject(response.body());
    assertThat(problem.getString("detail")).contains(detail);
    assertThat(problem.getInteger("status")).isEqualTo(status);
    Integer code =
        switch (status) {
          case 409 -> DocumentFailure.PATCH_FAILED.code();
          case 414, 415 -> null;
          default -> status;
        };
    assertThat(problem.getInteger("code")).isEqualTo(code);
  }

  /** What a user sees who follows the page about documents, with a heap of 64 MB. */
  @Test
  void streamsChangesAndStopsAlthoughAStreamIsOpen() throws Exception {
    try (ChildJvm program = start(Map.of())) {
      HttpResponse<Stream<String>> stream =
          client.send(
              HttpRequest.newBuilder(URI.create(url + "documents/log/changes?from=0")).build(),
              BodyHandlers.ofLines());
      assertThat(stream.statusCode()).isEqualTo(200);
      send("PUT", "documents/log/a", BodyPublishers.ofString("{\"n\":1}"));
      Iterator<String> lines = stream.body().iterator();
      String line = lines.next();
      while (!line.startsWith("data: ")) {
        line = lines.next();
      }
      assertThat(new JsonObject(line.substring(6)).getString("key")).isEqualTo("a");
      HttpResponse<String> gone = get("documents/log/changes?from=99");
      assertThat(gone.statusCode()).isEqualTo(410);
      program.terminate();
      assertThat(program.exitCode()).isZero();
    }
  }

  private static BodyPublisher large(int bytes) {
    return BodyPublishers.ofByteArray(
        ("{\"t\":\"" + "x".repeat(bytes) + "\"}").getBytes(StandardCharsets.UTF_8));
  }

  /** Whether its length is announced or not: a document of 1 MiB and 64 KiB are allowed. */
  private void assertHugeIsRefused() throws IOException {
    LargePut put = new LargePut(URI.create(url).getPort(), "/documents/cars/huge");
    String detail = "the body has more than 1114112 bytes";
    put.whole(100 << 20).assertProblem(413, DocumentFailure.TOO_LARGE.code(), detail);
    put.chunk(100 << 20).assertProblem(413, DocumentFailure.TOO_LARGE.code(), detail);
    put.announced(100 << 20).assertProblem(413, DocumentFailure.TOO_LARGE.code(), detail);
  }

  @Test
  void servesNobodyWithoutTheTokenIfThereIsOne() throws Exception {
    String token = "data-0123456789abcdef";
    try (ChildJvm program = start(Map.of("WEIR_DATA_TOKENS", token))) {
      assertThat(get("documents/cars/a").statusCode()).isEqualTo(401);
      assertThat(get("documents").statusCode()).isEqualTo(401);
      assertThat(
              send(
                      "GET",
                      "documents/cars/a",
                      BodyPublishers.noBody(),
                      "Authorization",
                      "Bearer " + token)
                  .statusCode())
          .isEqualTo(404);
      assertThat(program.isAlive()).isTrue();
    }
  }
}
