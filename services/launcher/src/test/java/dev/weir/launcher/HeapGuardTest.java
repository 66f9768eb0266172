package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapGuardTest {
  @Test
  void aLargerHeapIsAdvisedOnlyIfTheHeapIsExhausted() {
    for (String said : new String[] {null, "Java heap space", "GC overhead limit exceeded"}) {
      assertThat(HeapGuard.other(new IllegalStateException(new OutOfMemoryError(said)))).isNull();
    }
    String threads = "unable to create native thread: possibly out of memory";
    assertThat(HeapGuard.other(new OutOfMemoryError(threads)))
        .isEqualTo("memory other than the heap is exhausted: the program ends: " + threads + "\n");
  }
}
