package dev.weir.cluster.transport.hazelcast;

import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Probe;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Probes the processes to which links were lost, each address once in a round: the links of all
 * groups to a machine that does not answer would wait for it one after another, and the other links
 * behind them. By the wire's thread.
 */
final class LossProbes {
  private final Function<InetSocketAddress, Probe.Answer> probe;
  private final Map<InetSocketAddress, Asked> asked = new HashMap<>();

  /**
   * @param fromNs when the probe began
   */
  private record Asked(long fromNs, Probe.Answer answer) {}

  /**
   * @param probe asks at an address; may block
   */
  LossProbes(Function<InetSocketAddress, Probe.Answer> probe) {
    this.probe = probe;
  }

  /** Begins a round: what was asked before is asked again. */
  void begin() {
    asked.clear();
  }

  /** Whether the lost process is gone: after the loss, nobody listened at its address. */
  boolean isRefused(Loss loss) {
    Asked last = asked.get(loss.address());
    if (last == null || last.fromNs() - loss.sinceNs() < 0) {
      long fromNs = System.nanoTime();
      last = new Asked(fromNs, probe.apply(loss.address()));
      asked.put(loss.address(), last);
    }
    return last.answer() == Probe.Answer.REFUSED;
  }
}
