package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;

/**
 * What a Hazelcast member may make of bytes that others sent. Of Java serialization, by which
 * Hazelcast sends its own failures, only Hazelcast's classes and plain ones of the JDK: with all
 * classes allowed, whoever reaches the member's port could run what he likes in it. Hazelcast's own
 * default is to allow all.
 */
public final class JavaSerialization {
  private static final String[] ALLOWED = {
    "com.hazelcast.",
    "java.io.",
    "java.lang.",
    "java.math.",
    "java.net.",
    "java.time.",
    "java.util.",
    "[["
  };

  private static final String[] ALLOWED_ARRAYS = {
    "[B", "[C", "[D", "[F", "[I", "[J", "[S", "[Z", "[Lcom.hazelcast.", "[Ljava."
  };

  /** Allowed by their package, but they reach out when they are made, or call what they name. */
  private static final String[] REFUSED = {
    "com.hazelcast.shaded.", "java.lang.invoke.", "java.lang.reflect.", "java.net.URL"
  };

  private JavaSerialization() {}

  /** Sets the filter of a configuration; replaces one that is set. */
  public static void restrict(Config config) {
    JavaSerializationFilterConfig filter =
        new JavaSerializationFilterConfig()
            .setDefaultsDisabled(true)
            .setWhitelist(new ClassFilter().addPrefixes(ALLOWED).addPrefixes(ALLOWED_ARRAYS))
            .setBlacklist(new ClassFilter().addPrefixes(REFUSED));
    config.getSerializationConfig().setJavaSerializationFilterConfig(filter);
  }
}
