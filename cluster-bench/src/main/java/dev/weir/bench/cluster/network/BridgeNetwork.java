package dev.weir.bench.cluster.network;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two members in network namespaces of their own, which hang on one bridge; the driver is where the
 * bridge is. To cut the members off from each other their ports are isolated: the bridge then drops
 * what one sends to the other, silently, as a switch that fails does. Needs root and the {@code ip}
 * command.
 */
public final class BridgeNetwork implements MemberNetwork {
  /** Set aside for benchmarks: 198.18.0.0/15. */
  private static final String SUBNET = "198.18.";

  private static final int HAZELCAST_PORT = 5701;
  private static final int REPLICATION_PORT = 5801;
  private static final int CLIENT_PORT = 7701;
  private static final long COMMAND_S = 20;

  private final String prefix = "weir" + ProcessHandle.current().pid();
  private final String subnet = SUBNET + ProcessHandle.current().pid() % 256 + ".";
  private final List<MemberAddress> members = new ArrayList<>();
  private final Thread remover = new Thread(this::remove, "bench-network-remover");

  /**
   * Makes namespaces and bridge.
   *
   * @throws IOException if that is impossible, with the reason
   */
  public BridgeNetwork(List<String> names) throws IOException, InterruptedException {
    for (int i = 0; i < names.size(); i++) {
      String host = subnet + (i + 2);
      members.add(
          new MemberAddress(names.get(i), host, HAZELCAST_PORT, REPLICATION_PORT, CLIENT_PORT));
    }
    boolean made = false;
    Runtime.getRuntime().addShutdownHook(remover);
    try {
      make();
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  private void make() throws IOException, InterruptedException {
    ip("link add", prefix, "type bridge");
    ip("addr add", subnet + "1/24", "dev", prefix);
    ip("link set", prefix, "up");
    for (int i = 0; i < members.size(); i++) {
      ip("netns add", namespace(i));
      ip("link add", port(i), "type veth peer name eth0 netns", namespace(i));
      ip("link set", port(i), "master", prefix, "up");
      ip("-n", namespace(i), "addr add", members.get(i).host() + "/24 dev eth0");
      ip("-n", namespace(i), "link set eth0 up");
      ip("-n", namespace(i), "link set lo up");
    }
  }

  private String namespace(int member) {
    return prefix + members.get(member).name();
  }

  private String port(int member) {
    return prefix + "p" + member;
  }

  @Override
  public List<MemberAddress> members() {
    return members;
  }

  @Override
  public List<String> launcher(int member) {
    return List.of("ip", "netns", "exec", namespace(member));
  }

  @Override
  public void cut() throws IOException, InterruptedException {
    isolate("on");
  }

  @Override
  public void mend() throws IOException, InterruptedException {
    isolate("off");
  }

  private void isolate(String state) throws IOException, InterruptedException {
    for (int i = 0; i < members.size(); i++) {
      ip("link set dev", port(i), "type bridge_slave isolated", state);
    }
  }

  /** Runs {@code ip} with these words, which may stand several in one string. */
  private static void ip(String... words) throws IOException, InterruptedException {
    String command = "ip " + String.join(" ", words);
    Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    process.getOutputStream().close();
    if (!process.waitFor(COMMAND_S, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("'" + command + "' does not end");
    }
    if (process.exitValue() != 0) {
      String said = new String(process.getInputStream().readAllBytes()).strip();
      throw new IOException("'" + command + "' failed: " + said);
    }
  }

  /** Takes away what there is; members must have ended. */
  private void remove() {
    for (int i = 0; i < members.size(); i++) {
      ignoringFailure("link del", port(i));
      ignoringFailure("netns del", namespace(i));
    }
    ignoringFailure("link del", prefix);
  }

  private static void ignoringFailure(String... words) {
    try {
      ip(words);
    } catch (IOException e) {
      // It was never made.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(remover);
    } catch (IllegalStateException e) {
      // This JVM is ending; the hook runs.
    }
  }
}
