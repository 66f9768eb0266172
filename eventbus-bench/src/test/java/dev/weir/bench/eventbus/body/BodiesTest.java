package dev.weir.bench.eventbus.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.eventbus.body.ImmutableBody.ImmutableBodyCodec;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BodiesTest {
  private static final int BYTES = 1_000;
  private static final long SAMPLED = 0;

  @ParameterizedTest
  @EnumSource(Bodies.Kind.class)
  void aBodyMatchesItsOwnOperationOnly(Bodies.Kind kind) {
    Bodies bodies = kind.bodies(BYTES);

    for (long operation = 0; operation < 10; operation++) {
      Object body = bodies.take(operation);
      assertThat(bodies.operationOf(body)).isEqualTo(operation);
      assertThat(bodies.matches(operation, body)).isTrue();
      assertThat(bodies.matches(operation + 1, body)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Bodies.Kind.class)
  void aBodyOfAnotherSizeDoesNotMatch(Bodies.Kind kind) {
    Object longer = kind.bodies(BYTES + 1).take(3);

    assertThat(kind.bodies(BYTES).matches(3, longer)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Bodies.Kind.class)
  void somethingElseIsNoBody(Bodies.Kind kind) {
    Bodies bodies = kind.bodies(BYTES);

    assertThat(bodies.operationOf("text")).isEqualTo(-1);
    assertThat(bodies.matches(-1, "text")).isFalse();
  }

  @Test
  void aBufferThatCameBackIsUsedAgainAndStampedAnew() {
    Bodies bodies = Bodies.Kind.BUFFER.bodies(BYTES);
    Object first = bodies.take(1);
    bodies.giveBack(first);

    Object second = bodies.take(2);

    assertThat(second).isSameAs(first);
    assertThat(bodies.matches(2, second)).isTrue();
    assertThat(bodies.matches(1, second)).isFalse();
  }

  @Test
  void aChangeInTheMiddleIsSeenInASampledBuffer() {
    Bodies bodies = Bodies.Kind.BUFFER.bodies(BYTES);
    Buffer body = (Buffer) bodies.take(SAMPLED);

    body.setByte(BYTES / 2, (byte) (body.getByte(BYTES / 2) + 1));

    assertThat(bodies.matches(SAMPLED, body)).isFalse();
  }

  @Test
  void aChangeInTheMiddleIsSeenInASampledParcel() {
    Bodies bodies = Bodies.Kind.IMMUTABLE.bodies(BYTES);
    ImmutableBody body = (ImmutableBody) bodies.take(SAMPLED);
    byte[] changed = body.middle().clone();
    changed[BYTES / 2]++;

    assertThat(bodies.matches(SAMPLED, new ImmutableBody(SAMPLED, changed, body.tail()))).isFalse();
  }

  @Test
  void aParcelSurvivesItsCodec() {
    Bodies bodies = Bodies.Kind.IMMUTABLE.bodies(BYTES);
    ImmutableBodyCodec codec = new ImmutableBodyCodec();
    ImmutableBody sent = (ImmutableBody) bodies.take(SAMPLED);
    ByteBuffer wire = ByteBuffer.allocate(codec.sizeBytes(sent));

    codec.write(sent, wire);
    ImmutableBody received = codec.read(wire.flip());

    assertThat(wire.capacity()).isEqualTo(BYTES);
    assertThat(wire.hasRemaining()).isFalse();
    assertThat(bodies.matches(SAMPLED, received)).isTrue();
  }
}
