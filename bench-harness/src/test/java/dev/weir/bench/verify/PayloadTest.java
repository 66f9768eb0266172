package dev.weir.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {

  @ParameterizedTest
  @ValueSource(ints = {16, 17, 74, 10_240, 512_000})
  void acceptsItsOwnBodies(int sizeBytes) {
    Payload payload = new Payload(1, sizeBytes);
    byte[] body = payload.create(12_345);
    assertThat(body).hasSize(sizeBytes);
    assertThat(payload.contentMatches(12_345, body)).isTrue();
    assertThat(payload.matches(12_345, body)).isTrue();
  }

  @Test
  void isDeterministicBySeedOperationAndSize() {
    assertThat(new Payload(1, 74).create(5)).isEqualTo(new Payload(1, 74).create(5));
    assertThat(new Payload(1, 74).create(5)).isNotEqualTo(new Payload(2, 74).create(5));
    assertThat(new Payload(1, 74).create(5)).isNotEqualTo(new Payload(1, 74).create(6));
  }

  @Test
  void anySingleWrongByteOfASampledBodyIsCorruption() {
    Payload payload = new Payload(1, 74);
    for (int index = 0; index < 74; index++) {
      byte[] body = payload.create(3);
      body[index] ^= 1;
      assertThat(payload.matches(3, body)).as("byte %d", index).isFalse();
    }
  }

  @Test
  void aBodyOfAnotherOperationOrLengthIsCorruption() {
    Payload payload = new Payload(1, 74);
    assertThat(payload.matches(3, payload.create(4))).isFalse();
    assertThat(payload.matches(3, new Payload(1, 75).create(3))).isFalse();
    assertThat(payload.matches(3, new byte[2])).isFalse();
  }

  @Test
  void checksEndsOfEveryBodyAndTheMiddleOfTheSample() {
    Payload payload = new Payload(1, 512_000);
    byte[] wrongMiddle = payload.create(1);
    wrongMiddle[256_000] ^= 1;
    assertThat(payload.isSampled(1)).isFalse();
    assertThat(payload.matches(1, wrongMiddle)).isTrue();
    payload.stamp(wrongMiddle, 1024);
    assertThat(payload.isSampled(1024)).isTrue();
    assertThat(payload.matches(1024, wrongMiddle)).isFalse();
    assertThat(payload.describeCheck()).endsWith("CRC32C of one body in 1024");
  }

  @Test
  void checksSmallBodiesWhole() {
    assertThat(new Payload(1, 74).describeCheck()).endsWith("CRC32C of every body");
  }

  @Test
  void endsCanBeReadByTheCaller() {
    Payload payload = new Payload(9, 74);
    ByteBuffer body = ByteBuffer.wrap(payload.create(77));
    assertThat(payload.endsMatch(77, 74, body.getLong(0), body.getLong(66))).isTrue();
    assertThat(payload.endsMatch(78, 74, body.getLong(0), body.getLong(66))).isFalse();
  }

  @Test
  void refusesSizesAndSamplesThatCannotWork() {
    assertThatThrownBy(() -> new Payload(1, 15)).hasMessage("sizeBytes must be at least 16: 15");
    assertThatThrownBy(() -> new Payload(1, 74, 3))
        .hasMessage("sampleEvery must be a power of two: 3");
  }
}
