package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;

/**
 * Restricts the classes that a Hazelcast member deserializes by Java serialization: to Hazelcast's
 * own and plain ones of the JDK. Hazelcast sends its exceptions that way. Its default allows all
 * classes, with which anybody who reaches the member's port could run any code.
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

  /** Refused although their package is allowed: they open connections or call named methods. */
  private static final String[] REFUSED = {
    "com.hazelcast.shaded.", "java.lang.invoke.", "java.lang.reflect.", "java.net.URL"
  };

  private JavaSerialization() {}

  /** Sets the filter of a configuration, and replaces an earlier one. */
  public static void restrict(Config config) {
    JavaSerializationFilterConfig filter =
        new JavaSerializationFilterConfig()
            .setDefaultsDisabled(true)
            .setWhitelist(new ClassFilter().addPrefixes(ALLOWED).addPrefixes(ALLOWED_ARRAYS))
            .setBlacklist(new ClassFilter().addPrefixes(REFUSED));
    config.getSerializationConfig().setJavaSerializationFilterConfig(filter);
  }
}
