package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.LimitOptions;
import dev.weir.options.ByteBudget;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.http.HttpServerOptions;
import org.junit.jupiter.api.Test;

class WatchedConnectionTest {
  private static final class CountingChannel extends EmbeddedChannel {
    /** How often somebody asked for it, to listen. */
    private int closeFutures;

    @Override
    public ChannelFuture closeFuture() {
      closeFutures++;
      return super.closeFuture();
    }
  }

  @Test
  void requestsThatAskForAWebSocketLeaveNothingMoreOnTheirConnection() {
    CountingChannel channel = new CountingChannel();
    WatchedConnection connection =
        new WatchedConnection(
            channel,
            new Connections(null, new LimitOptions(), null, false),
            new HttpServerOptions());
    int before = channel.closeFutures;
    for (int i = 0; i < 100; i++) {
      connection.charge(new ByteBudget(1_000), () -> {});
    }
    assertThat(channel.closeFutures - before).isEqualTo(1);
  }
}
