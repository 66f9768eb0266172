package dev.weir.cluster.transport.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Probe;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LossProbesTest {
  private static final InetSocketAddress GONE = new InetSocketAddress("127.0.0.1", 1);
  private static final InetSocketAddress CUT = new InetSocketAddress("127.0.0.1", 2);

  private final List<InetSocketAddress> asked = new ArrayList<>();
  private final LossProbes probes =
      new LossProbes(
          address -> {
            asked.add(address);
            return address.equals(GONE) ? Probe.Answer.REFUSED : Probe.Answer.UNKNOWN;
          });

  @Test
  void anAddressIsAskedOnceInARoundForAllGroups() {
    List<Loss> losses =
        IntStream.range(0, 20).mapToObj(i -> new Loss(i % 2 == 0 ? GONE : CUT)).toList();
    for (int round = 1; round <= 2; round++) {
      probes.begin();
      for (Loss loss : losses) {
        assertThat(probes.isRefused(loss)).isEqualTo(loss.address().equals(GONE));
      }
      assertThat(asked).hasSize(2 * round);
    }
  }

  @Test
  void anAnswerOfBeforeALossDoesNotCountForIt() {
    probes.begin();
    assertThat(probes.isRefused(new Loss(GONE))).isTrue();
    assertThat(probes.isRefused(new Loss(GONE))).isTrue();
    assertThat(asked).hasSize(2);
  }
}
