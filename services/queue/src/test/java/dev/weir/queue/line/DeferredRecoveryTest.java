package dev.weir.queue.line;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeferredRecoveryTest {

  @Test
  void theDeliveryCountOfAMessageThatIsOfNoUseIsDeletedWithIt() {
    DeferredRecovery recovery = new DeferredRecovery();
    recovery.addDeliveries(7, 1);
    recovery.addDeliveries(8, 1);

    assertThat(recovery.add(DeferredKey.due(1000, 7, 0, true, 100))).isFalse();
    assertThat(recovery.add(DeferredKey.due(1000, 8, 0, false, 100))).isTrue();

    assertThat(recovery.orphans).containsExactly(7L);
  }
}
