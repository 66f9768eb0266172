package dev.weir.bench.eventbus.start;

import dev.weir.bench.program.ChildJvm;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One start of a program, from the process to its first answer.
 *
 * @param readyNs until the first request was answered
 * @param residentBytes what the process has in memory then; 0 where the system does not tell it
 * @param exitCode after a SIGTERM
 */
record ProgramStart(long readyNs, long residentBytes, int exitCode) {
  private static final long TIMEOUT_S = 60;
  private static final String READY = ": ready at ";

  /**
   * Starts and ends it, blocking the caller.
   *
   * @param arguments of the java command
   * @param path of the request, a POST of a JSON body
   */
  static ProgramStart of(List<String> arguments, String path)
      throws IOException, InterruptedException {
    CompletableFuture<String> ready = new CompletableFuture<>();
    long startNs = System.nanoTime();
    try (ChildJvm child = ChildJvm.startWith(arguments, line -> take(line, ready))) {
      child
          .outcome()
          .thenAccept(end -> ready.completeExceptionally(new IOException(end.describe())));
      request(ready.get(TIMEOUT_S, TimeUnit.SECONDS) + path);
      long readyNs = System.nanoTime() - startNs;
      long residentBytes = residentBytes(child.pid());
      child.terminate();
      int exitCode = child.await(Duration.ofSeconds(TIMEOUT_S)).exitCode();
      return new ProgramStart(readyNs, residentBytes, exitCode);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no start of java " + String.join(" ", arguments), e);
    }
  }

  private static void take(String line, CompletableFuture<String> ready) {
    int at = line.indexOf(READY);
    if (at >= 0) {
      ready.complete(line.substring(at + READY.length()).replaceFirst("/$", ""));
    }
  }

  private static void request(String uri) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(uri).toURL().openConnection();
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/json");
    connection.getOutputStream().write("true".getBytes(StandardCharsets.US_ASCII));
    String answer = new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!answer.equals("true")) {
      throw new IOException(uri + " answered " + answer);
    }
  }

  private static long residentBytes(long pid) throws IOException {
    Path status = Path.of("/proc/" + pid + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .sum();
  }
}
