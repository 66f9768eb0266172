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
 * Hands on what comes to one port to another. While it is cut it takes connections and keeps what
 * it has, and nobody at either end hears of anything: bytes, ends and new connections go on when it
 * is mended. For a Vert.x with one event loop, on which all happens but {@link #listen}.
 */
final class LinkProxy {
  private final NetClient client;
  private final NetServer server;
  private final String host;
  private final int targetPort;
  private final Set<Link> links = new HashSet<>();
  private boolean cut;

  /** Both ends of a connection; without the far one while it is cut or not connected yet. */
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

    /** One end is closed. */
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

  /** Listens; blocks until it does. Fails if the port is taken. */
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
