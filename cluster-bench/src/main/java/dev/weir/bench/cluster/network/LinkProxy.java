package dev.weir.bench.cluster.network;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A TCP proxy that forwards the connections of one port to another port and can be cut. While it is
 * cut, it accepts connections but forwards nothing: bytes, closed connections and new connections
 * are forwarded when the cut ends.
 *
 * <p>Needs a Vert.x with one event loop. All methods but {@link #listen} are for that loop.
 */
final class LinkProxy {
  private final NetClient client;
  private final NetServer server;
  private final String host;
  private final int targetPort;
  private final Set<Link> links = new HashSet<>();
  private boolean cut;

  /** Both ends of a forwarded connection. The far end is null until it is connected. */
  private final class Link {
    private final NetSocket near;
    private NetSocket far;
    private boolean dialing;
    private boolean over;

    Link(NetSocket near) {
      this.near = near;
      near.pause().closeHandler(v -> end()).exceptionHandler(e -> end());
    }

    void dial() {
      dialing = true;
      client
          .connect(targetPort, host)
          .onComplete(
              (socket, failure) -> {
                if (failure != null) {
                  near.close();
                } else {
                  join(socket.pause());
                }
              });
    }

    private void join(NetSocket socket) {
      far = socket;
      far.closeHandler(v -> end()).exceptionHandler(e -> end());
      near.handler(far::write);
      far.handler(near::write);
      if (over) {
        far.close();
      } else if (!cut) {
        resume();
      }
    }

    void pause() {
      near.pause();
      if (far != null) {
        far.pause();
      }
    }

    void resume() {
      if (far == null && !dialing) {
        dial();
      } else if (far != null) {
        near.resume();
        far.resume();
      }
    }

    /** Called when one end is closed. */
    void end() {
      over = true;
      if (!cut) {
        links.remove(this);
        near.close();
        if (far != null) {
          far.close();
        }
      }
    }
  }

  LinkProxy(Vertx vertx, String host, int targetPort) {
    this.host = host;
    this.targetPort = targetPort;
    client = vertx.createNetClient();
    server = vertx.createNetServer().connectHandler(this::arrived);
  }

  /** Starts to listen, blocking the caller. Fails if the port is in use. */
  void listen(int port) {
    server.listen(port, host).await();
  }

  private void arrived(NetSocket near) {
    Link link = new Link(near);
    links.add(link);
    if (!cut) {
      link.dial();
    }
  }

  void cut() {
    cut = true;
    links.forEach(Link::pause);
  }

  void mend() {
    cut = false;
    List<Link> all = new ArrayList<>(links);
    all.stream().filter(link -> link.over).forEach(Link::end);
    all.stream().filter(link -> !link.over).forEach(Link::resume);
  }
}
