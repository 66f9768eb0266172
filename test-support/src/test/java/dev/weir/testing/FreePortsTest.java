package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  /** Prints what it finds, and keeps it until it is killed. */
  static final class Finder {
    private Finder() {}

    public static void main(String[] args) throws InterruptedException {
      List<Integer> ports = FreePorts.find(10);
      System.out.println(
          "found " + ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
      Thread.currentThread().join();
    }
  }

  @Test
  void anotherJvmThatRunsTestsFindsPortsOfAnotherBlock() {
    int own = block(FreePorts.one());
    try (ChildJvm other = ChildJvm.start(Finder.class)) {
      List<Integer> found =
          Stream.of(other.await("found ").split(",")).map(Integer::valueOf).toList();
      assertThat(found).hasSize(10).doesNotHaveDuplicates();
      assertThat(found).allSatisfy(port -> assertThat(block(port)).isNotEqualTo(own));
    }
  }

  private static int block(int port) {
    return (port - FreePorts.FIRST_PORT) / FreePorts.BLOCK;
  }
}
