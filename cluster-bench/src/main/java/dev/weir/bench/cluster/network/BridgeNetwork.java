package dev.weir.bench.cluster.network;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network in which each member has a network namespace of its own, connected to a bridge in the
 * namespace of the driver. A cut isolates the members' ports: the bridge then silently drops what
 * members send to each other, as a failing switch does. Needs root and the {@code ip} command.
 */
public final class BridgeNetwork implements MemberNetwork {
  /** Part of 198.18.0.0/15, which is reserved for benchmarks. */
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
   * Creates the namespaces and the bridge.
   *
   * @throws IOException if that is impossible; the message says why
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

  /** Runs {@code ip} with these arguments; a string may hold several, separated by blanks. */
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

  /** Removes namespaces and bridge. Members must have ended. */
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
      // It was never created.
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
