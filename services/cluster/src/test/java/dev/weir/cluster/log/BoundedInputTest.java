package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BoundedInputTest {
  private final BoundedInput in =
      new BoundedInput(new ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5, 6}), 4);

  @Test
  void nothingBehindTheBoundIsRead() throws IOException {
    assertThat(in.read()).isEqualTo(1);
    assertThat(in.readAllBytes()).containsExactly(2, 3, 4);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(in.read(new byte[1], 0, 1)).isEqualTo(-1);
  }

  @Test
  void whatIsSkippedCounts() throws IOException {
    assertThat(in.available()).isEqualTo(4);
    assertThat(in.skip(3)).isEqualTo(3);
    assertThat(in.available()).isEqualTo(1);
    assertThat(in.read()).isEqualTo(4);
    assertThat(in.skip(1)).isZero();
    assertThatThrownBy(() -> in.skipNBytes(1)).isInstanceOf(EOFException.class);
  }
}
