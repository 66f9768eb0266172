package dev.weir.gateway.limits;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.atomic.AtomicBoolean;

/** An action that runs once, at the latest when a connection is closed. */
public final class ClosingAction implements Runnable {
  private final AtomicBoolean done = new AtomicBoolean();
  private final Channel channel;
  private final Runnable action;
  private final ChannelFutureListener listener = closed -> once();

  private ClosingAction(Channel channel, Runnable action) {
    this.channel = channel;
    this.action = action;
  }

  /**
   * Returns an action that runs once: when it is called or when the connection is closed, whichever
   * is first. Vert.x reports neither to a request that became a WebSocket.
   *
   * @return the action; further calls of it have no effect
   */
  public static Runnable of(Channel channel, Runnable action) {
    ClosingAction once = new ClosingAction(channel, action);
    channel.closeFuture().addListener(once.listener);
    return once;
  }

  @Override
  public void run() {
    channel.closeFuture().removeListener(listener);
    once();
  }

  private void once() {
    if (done.compareAndSet(false, true)) {
      action.run();
    }
  }
}
