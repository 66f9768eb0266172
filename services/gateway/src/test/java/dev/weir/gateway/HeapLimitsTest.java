package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.HeapBudget;
import org.junit.jupiter.api.Test;

class HeapLimitsTest {
  private static final long MIB = 1 << 20;

  /** The figures of the table in docs/operations.md, "How to size it". */
  @Test
  void theLimitsOfASmallHeapAreLowered() {
    GatewayOptions within = HeapLimits.within(new HeapBudget(64 * MIB), new GatewayOptions());
    assertThat(within.getMaxBodyBytes()).isEqualTo(2 * MIB);
    assertThat(within.getIdempotencyMaxBytes()).isEqualTo(MIB);
    assertThat(within.getLimits().getMaxConnections()).isEqualTo(1_536);
    assertThat(within.getLimits().getMaxRequestsInFlight()).isEqualTo(1_536);
    assertThat(within.getLimits().getMaxBodyBytesInFlight()).isEqualTo(8 * MIB);
  }

  @Test
  void whatFitsIntoTheHeapIsLeftAsItIs() {
    GatewayOptions options = new GatewayOptions();
    assertThat(HeapLimits.within(new HeapBudget(256 * 1024 * MIB), options).toJson())
        .isEqualTo(options.toJson());
    GatewayOptions low =
        new GatewayOptions()
            .setMaxBodyBytes(1_000)
            .setLimits(new LimitOptions().setMaxConnections(3).setMaxRequestsInFlight(2));
    assertThat(HeapLimits.within(new HeapBudget(64 * MIB), low).getMaxBodyBytes()).isEqualTo(1_000);
    assertThat(HeapLimits.within(new HeapBudget(64 * MIB), low).getLimits().getMaxConnections())
        .isEqualTo(3);
  }
}
