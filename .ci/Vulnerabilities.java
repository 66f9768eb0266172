import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Asks the database of osv.dev for known vulnerabilities of the libraries that a file lists, as
 * {@code mvn dependency:list} writes it: {@code java .ci/Vulnerabilities.java FILE}.
 *
 * <p>Ends with 0 if none is known or the database is not reachable, and with 1 if one is known.
 */
final class Vulnerabilities {
  private static final URI DATABASE = URI.create("https://api.osv.dev/v1/query");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Group, artifact, type, an optional classifier, version, scope. */
  private static final Pattern LIBRARY =
      Pattern.compile(
          "^\\s+([\\w.-]+):([\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):(?:compile|runtime)");

  private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"((?:GHSA|CVE)-[^\"]+)\"");

  private Vulnerabilities() {}

  public static void main(String[] args) throws Exception {
    Set<String> libraries = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      Matcher library = LIBRARY.matcher(line);
      if (library.find() && !library.group(1).equals("dev.weir")) {
        libraries.add(library.group(1) + ":" + library.group(2) + ":" + library.group(3));
      }
    }
    if (libraries.isEmpty()) {
      throw new IllegalArgumentException(args[0] + " lists no library");
    }
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    int vulnerable = 0;
    for (String library : libraries) {
      String known;
      try {
        known = known(client, library.split(":"));
      } catch (IOException e) {
        System.out.println("The database at " + DATABASE + " is not reachable: " + e);
        System.out.println("Not scanned for known vulnerabilities.");
        return;
      }
      if (!known.isEmpty()) {
        vulnerable++;
        System.out.println(library + " has " + known);
      }
    }
    System.out.println(
        libraries.size() + " libraries, " + vulnerable + " with known vulnerabilities");
    if (vulnerable > 0) {
      System.exit(1);
    }
  }

  private static String known(HttpClient client, String[] library)
      throws IOException, InterruptedException {
    String query =
        "{\"package\":{\"ecosystem\":\"Maven\",\"name\":\"%s:%s\"},\"version\":\"%s\"}"
            .formatted(library[0], library[1], library[2]);
    HttpRequest request =
        HttpRequest.newBuilder(DATABASE)
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(query))
            .build();
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("status " + answer.statusCode());
    }
    return ID.matcher(answer.body())
        .results()
        .map(found -> found.group(1))
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
