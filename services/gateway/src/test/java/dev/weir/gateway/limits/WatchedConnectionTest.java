package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.LimitOptions;
import dev.weir.options.ByteBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import io.vertx.core.http.HttpServerOptions;
import java.util.ArrayList;
import java.util.List;
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

  private static WatchedConnection watched(EmbeddedChannel channel) {
    LimitOptions limits = new LimitOptions();
    return new WatchedConnection(
        channel,
        new Connections(null, limits, null, new RequestLimit(limits, 0, new ByteBudget(0)), false),
        new HttpServerOptions(),
        null);
  }

  @Test
  void aPausedSocketIsNotReadWhateverElseWouldReadOn() {
    EmbeddedChannel channel = new EmbeddedChannel();
    WatchedConnection connection = watched(channel);
    channel.pipeline().addLast(connection);
    connection.charge(new ByteBudget(1_000), () -> {});
    connection.progress.becomesWebSocket(0);
    connection.pause(true);
    assertThat(channel.config().isAutoRead()).isFalse();

    channel.config().setAutoRead(true);
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[10]));
    assertThat(channel.config().isAutoRead()).isFalse();

    connection.pause(false);
    channel.runPendingTasks();
    assertThat(channel.config().isAutoRead()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void requestsThatAskForAWebSocketLeaveNothingMoreOnTheirConnection() {
    CountingChannel channel = new CountingChannel();
    WatchedConnection connection = watched(channel);
    int before = channel.closeFutures;
    for (int i = 0; i < 100; i++) {
      connection.charge(new ByteBudget(1_000), () -> {});
    }
    assertThat(channel.closeFutures - before).isEqualTo(1);
  }

  @Test
  void aClosedStreamCountsUntilWhatWasWrittenOfItHasGoneToTheSystem() {
    EmbeddedChannel channel = new EmbeddedChannel();
    WatchedConnection connection = watched(channel);
    channel.pipeline().addLast(connection);
    List<String> given = new ArrayList<>();
    connection.streams.whenWritten(() -> given.add("nothing waits"));
    assertThat(given).containsExactly("nothing waits");

    channel.write(Unpooled.wrappedBuffer(new byte[10]));
    connection.streams.whenWritten(() -> given.add("first"));
    connection.streams.whenWritten(() -> given.add("second"));
    assertThat(given).as("before a flush").hasSize(1);
    connection.streams.flushClosed();
    channel.runPendingTasks();
    assertThat(given).containsExactly("nothing waits", "first", "second");

    channel.write(Unpooled.wrappedBuffer(new byte[10]));
    connection.streams.whenWritten(() -> given.add("third"));
    channel.runPendingTasks();
    assertThat(given).as("after one turn, without a flush of others").contains("third");

    channel.write(Unpooled.wrappedBuffer(new byte[10]));
    connection.streams.whenWritten(() -> given.add("closed"));
    channel.close();
    channel.runPendingTasks();
    connection.streams.whenWritten(() -> given.add("later"));
    assertThat(given).endsWith("closed", "later").hasSize(6);
    channel.finishAndReleaseAll();
  }
}
