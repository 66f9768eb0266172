package dev.weir.bench.persistence.store;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Versions of the libraries that are measured, read from the Maven files in their jars. */
public final class Versions {
  private static final Map<String, String> LIBRARIES =
      Map.of(
          "chronicle-queue", "net.openhft",
          "rocksdbjni", "org.rocksdb",
          "h2-mvstore", "com.h2database",
          "artemis-server", "org.apache.activemq");

  private Versions() {}

  /** The libraries on the class path whose jar states a version. */
  public static Map<String, String> ofLibraries() {
    Map<String, String> versions = new TreeMap<>();
    LIBRARIES.forEach(
        (artifact, group) -> {
          String version = read("/META-INF/maven/" + group + "/" + artifact + "/pom.properties");
          if (version != null) {
            versions.put(artifact, version);
          }
        });
    return versions;
  }

  private static String read(String resource) {
    try (InputStream in = Versions.class.getResourceAsStream(resource)) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version");
    } catch (IOException e) {
      return null;
    }
  }
}
