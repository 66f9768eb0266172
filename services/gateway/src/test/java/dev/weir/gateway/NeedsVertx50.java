package dev.weir.gateway;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A test of what is lost with another Vert.x than 5.0, because the package {@code vertx50} is left
 * out then: connections are seen before their first request, and HTTP/1 is checked strictly. {@code
 * docs/architecture.md} names these tests.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIf(
    value = "dev.weir.gateway.NeedsVertx50$Build#hasVertx50",
    disabledReason = "built with another Vert.x than 5.0")
@interface NeedsVertx50 {
  /** What the build has. */
  final class Build {
    private Build() {}

    static boolean hasVertx50() {
      return Build.class
              .getClassLoader()
              .getResource("dev/weir/gateway/vertx50/GuardedServer.class")
          != null;
    }
  }
}
