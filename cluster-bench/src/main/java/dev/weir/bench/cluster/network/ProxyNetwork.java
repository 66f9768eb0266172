package dev.weir.bench.cluster.network;

import dev.weir.bench.cluster.child.Ports;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A network of members on the loopback address that reach each other through proxies in this
 * process. It replaces a {@link BridgeNetwork} for users without root. Members must not be killed:
 * a proxy accepts connections for a member that does not run.
 */
public final class ProxyNetwork implements MemberNetwork {
  private static final String HOST = "127.0.0.1";
  private static final int PORTS = 5;

  private final List<MemberAddress> members = new ArrayList<>();
  private final List<LinkProxy> proxies = new ArrayList<>();
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  /**
   * Starts the proxies.
   *
   * @throws IOException if there are not enough free ports
   */
  public ProxyNetwork(List<String> names) throws IOException {
    boolean made = false;
    try {
      int[] ports = Ports.free(PORTS * names.size());
      for (int i = 0; i < names.size(); i++) {
        add(names.get(i), ports, PORTS * i);
      }
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  private void add(String name, int[] ports, int first) {
    MemberAddress member =
        new MemberAddress(
            name,
            HOST,
            ports[first],
            ports[first + 1],
            ports[first + 2],
            ports[first + 3],
            ports[first + 4]);
    listen(member.publicPort(), member.port());
    listen(member.publicReplicationPort(), member.replicationPort());
    members.add(member);
  }

  private void listen(int port, int targetPort) {
    LinkProxy proxy = new LinkProxy(vertx, HOST, targetPort);
    proxy.listen(port);
    proxies.add(proxy);
  }

  @Override
  public List<MemberAddress> members() {
    return List.copyOf(members);
  }

  @Override
  public void cut() {
    onEventLoop(LinkProxy::cut);
  }

  @Override
  public void mend() {
    onEventLoop(LinkProxy::mend);
  }

  /** Runs the action for all proxies and waits for its end. */
  private void onEventLoop(Consumer<LinkProxy> action) {
    Promise<Void> done = Promise.promise();
    vertx.runOnContext(
        v -> {
          proxies.forEach(action);
          done.complete();
        });
    done.future().await();
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
