package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StateHeapTest {
  @Test
  void replicasHaveEqualParts() {
    State.Heap heap = new State.Heap(90);
    assertThat(heap.replicaBytes()).isEqualTo(90);
    heap.join(1);
    heap.join(2);
    assertThat(heap.replicaBytes()).isEqualTo(30);
    heap.add(60);
    heap.leave(1);
    assertThat(heap.replicaBytes()).isEqualTo(75);
    heap.add(-200);
    assertThat(heap.replicaBytes()).isZero();
  }

  @Test
  void lessThanNothingIsRefused() {
    assertThatThrownBy(() -> new State.Heap(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heapBytes is -1");
  }
}
