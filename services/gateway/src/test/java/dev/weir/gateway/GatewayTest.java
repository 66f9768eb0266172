package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.options.ByteBudget;
import io.vertx.core.Future;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class GatewayTest extends GuardTestBase {
  @Test
  void listensOnThisMachineOnlyUnlessTold() {
    assertThat(new GatewayOptions().getHost()).isEqualTo("127.0.0.1");
  }

  @Test
  void namesTheOptionTheValueAndWhatIsAllowed() {
    assertThatThrownBy(() -> new GatewayOptions().setPort(70_000))
        .hasMessage("port is 70000, allowed is 0 to 65535");
  }

  @Test
  void showsServicesThatComeAfterAnotherGatewayOfTheWeirCouldNotStart() throws Exception {
    Gateway gateway = start(new GatewayOptions());
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      GatewayOptions other = new GatewayOptions().setPort(taken.getLocalPort());
      assertThatThrownBy(() -> await(Gateway.start(vertx, weir, other)))
          .isInstanceOf(BindException.class);
    }
    assertShowsTheNextService(gateway);
  }

  @Test
  void showsServicesThatComeAfterAnotherGatewayOfTheWeirWasClosed() throws Exception {
    Gateway gateway = start(new GatewayOptions());
    Gateway other = start(new GatewayOptions());
    await(other.close());
    assertShowsTheNextService(gateway);
  }

  private void assertShowsTheNextService(Gateway gateway) throws Exception {
    ServiceOptions options = new ServiceOptions().setDiskBytes(0);
    await(weir.serve("next", options, message -> Future.succeededFuture()));
    try (RawClient client = new RawClient(gateway.port())) {
      client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(client.rest()).contains("weir_service_workers{address=\"next\"}");
    }
  }

  @Test
  void leavesItsPortWhenItsHealthHasACheckOfItsName() {
    GatewayOptions options = HeapLimits.within(weir.heap(), new GatewayOptions().setPort(20_000));
    Health health = Health.of(weir, new HealthOptions());
    health.add(HealthCheck.of("gateway", HealthResult::pass));
    try (Metrics metrics = Metrics.create()) {
      assertThatThrownBy(() -> await(Gateway.start(vertx, weir, options, metrics, health)))
          .hasMessage("check is gateway, allowed is each name once");
    }
    PortState next = PortState.join(vertx, options, new ByteBudget(1));
    PortState.leave(vertx, options);
    assertThat(PortState.join(vertx, options, new ByteBudget(1)))
        .as("the state of the port, after its only gateway has left")
        .isNotSameAs(next);
    PortState.leave(vertx, options);
  }

  @Test
  void closesWithVertx() throws Exception {
    Gateway gateway = start(new GatewayOptions());
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    vertx.exceptionHandler(thrown::add);
    await(vertx.close());
    assertThat(gateway.isDraining()).isTrue();
    assertThat(gateway.close().isComplete()).isTrue();
    assertThat(thrown).isEmpty();
  }
}
