package dev.weir.gateway;

import dev.weir.gateway.cluster.NodeMembers;
import dev.weir.gateway.health.GroupCheck;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthReport;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.metrics.ClusterView;
import dev.weir.gateway.metrics.DocumentMetrics;
import dev.weir.gateway.metrics.GroupMetrics;
import dev.weir.gateway.metrics.GroupWords;
import dev.weir.gateway.metrics.LatencySnapshot;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.MetricsFormat;
import dev.weir.gateway.metrics.ShardMetrics;
import dev.weir.testing.PublicApi;
import org.junit.jupiter.api.Test;

class PublicApiTest {
  /** What a program names to show figures, the cluster and its readiness. */
  private static final Class<?>[] OF_INNER_PACKAGES = {
    ClusterView.class,
    DocumentMetrics.class,
    GroupCheck.class,
    GroupMetrics.class,
    GroupWords.class,
    Health.class,
    HealthCheck.class,
    HealthReport.class,
    HealthResult.class,
    LatencySnapshot.class,
    Metrics.class,
    MetricsFormat.class,
    NodeMembers.class,
    ShardMetrics.class
  };

  @Test
  void noPublicNameIsGoneOrHasChanged() {
    PublicApi.of(Gateway.class).with(OF_INNER_PACKAGES).check();
  }
}
