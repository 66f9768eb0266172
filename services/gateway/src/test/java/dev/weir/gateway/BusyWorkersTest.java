package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.VertxOptions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Handlers block all worker threads of Vert.x. */
class BusyWorkersTest extends GatewayTestBase {
  @Test
  void probesAndFiguresAreAnsweredAllTheSame() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(VertxOptions.DEFAULT_WORKER_POOL_SIZE);
    try {
      for (int i = 0; i < VertxOptions.DEFAULT_WORKER_POOL_SIZE; i++) {
        vertx.executeBlocking(
            () -> {
              blocked.countDown();
              end.await();
              return null;
            },
            false);
      }
      blocked.await();
      for (String path : List.of("/health/ready", "/metrics", "/health/live")) {
        assertThat(send(to(path).build()).statusCode()).as(path).isEqualTo(200);
      }
    } finally {
      end.countDown();
    }
  }
}
