package dev.weir.cluster.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * Connections between simulated members. Each frame belongs to a connection; it arrives after those
 * sent before it, or not at all. A cut direction holds frames back; a connection may break while it
 * is cut, on both sides at different times.
 */
final class SimNetwork {
  private static final long LOOK_NS = 20_000_000;

  private record Held(long connection, SimFrame frame) {}

  private final GroupSimulation sim;
  private final int size;
  private final long[][] connection;
  private final boolean[][] cut;
  private final boolean[][] mayRefuse;
  private final long[][] arrivalNs;
  private final long[][] slowNs;
  private final List<List<Held>> held = new ArrayList<>();
  private long lastConnection;

  SimNetwork(GroupSimulation sim, int size) {
    this.sim = sim;
    this.size = size;
    connection = new long[size][size];
    cut = new boolean[size][size];
    mayRefuse = new boolean[size][size];
    arrivalNs = new long[size][size];
    slowNs = new long[size][size];
    for (int i = 0; i < size * size; i++) {
      held.add(new ArrayList<>());
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < i; j++) {
        look(i, j);
      }
    }
  }

  void send(int from, int to, SimFrame frame) {
    if (connection[from][to] != 0) {
      transmit(from, to, new Held(connection[from][to], frame));
    }
  }

  private void transmit(int from, int to, Held frame) {
    if (cut[from][to]) {
      held.get(from * size + to).add(frame);
      return;
    }
    long at = sim.nowNs + sim.between(50_000, 2_000_000) + slowNs[from][to];
    arrivalNs[from][to] = Math.max(arrivalNs[from][to] + 1, at);
    sim.at(
        arrivalNs[from][to],
        () -> {
          if (connection[to][from] == frame.connection()) {
            sim.replica(to).report(new SimEvent.Received(from, frame.frame()));
          }
        });
  }

  void cut(int from, int to) {
    cut[from][to] = true;
  }

  void heal(int from, int to) {
    if (cut[from][to]) {
      cut[from][to] = false;
      List<Held> late = List.copyOf(held.get(from * size + to));
      held.get(from * size + to).clear();
      late.forEach(frame -> transmit(from, to, frame));
    }
  }

  void healAll() {
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        heal(i, j);
        slowNs[i][j] = 0;
      }
    }
  }

  void slow(int from, int to, long delayNs) {
    slowNs[from][to] = delayNs;
  }

  /** Both sides see it, not at the same time. */
  void breakConnection(int one, int other) {
    long id = connection[one][other];
    sim.after(sim.between(0, 300_000_000), () -> loseIf(one, other, id));
    sim.after(sim.between(0, 300_000_000), () -> loseIf(other, one, id));
  }

  /** The process is gone: the others see it soon if they can be reached. */
  void died(int member) {
    for (int i = 0; i < size; i++) {
      int other = i;
      connection[member][other] = 0;
      mayRefuse[member][other] = false;
      if (other != member) {
        sim.after(sim.between(100_000, 5_000_000), () -> seeDead(other, member));
        sim.after(sim.between(5_000_000, 9_000_000), () -> seeDead(other, member));
      }
    }
  }

  private void loseIf(int at, int other, long id) {
    if (id != 0 && connection[at][other] == id && sim.replica(at).isRunning()) {
      lose(at, other);
    }
  }

  private void lose(int at, int other) {
    connection[at][other] = 0;
    mayRefuse[at][other] = true;
    sim.replica(at).report(new SimEvent.Lost(other));
  }

  /** Tries to connect again and again. */
  private void look(int one, int other) {
    sim.after(
        sim.between(LOOK_NS / 2, LOOK_NS),
        () -> {
          seeDead(one, other);
          seeDead(other, one);
          connect(one, other);
          look(one, other);
        });
  }

  private boolean isOpen(int one, int other) {
    return !cut[one][other] && !cut[other][one];
  }

  /** A connection whose other end is gone is reset; then nobody listens there, or somebody else. */
  private void seeDead(int at, int other) {
    if (!sim.replica(at).isRunning() || !isOpen(at, other)) {
      return;
    }
    if (connection[at][other] != 0 && connection[other][at] != connection[at][other]) {
      lose(at, other);
    } else if (connection[at][other] == 0 && mayRefuse[at][other] && sim.replica(other).isDead()) {
      mayRefuse[at][other] = false;
      sim.replica(at).report(new SimEvent.Refused(other));
    }
  }

  private void connect(int one, int other) {
    if (connection[one][other] != 0 && connection[one][other] == connection[other][one]
        || !sim.replica(one).isRunning()
        || !sim.replica(other).isRunning()
        || !isOpen(one, other)) {
      return;
    }
    lastConnection++;
    establish(one, other);
    establish(other, one);
  }

  private void establish(int at, int other) {
    if (connection[at][other] != 0) {
      lose(at, other);
    }
    connection[at][other] = lastConnection;
    mayRefuse[at][other] = false;
    sim.replica(at).report(new SimEvent.Connected(other));
  }
}
