package dev.weir.flow.vertx;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.LoggedLines;
import dev.weir.testing.MissingClasses;
import io.vertx.core.buffer.Buffer;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers of a Vert.x that has the classes inside it that this library names, and of others. */
class BufferBytesTest {
  private static final String NONE = "nothing";
  private static final String OPENING = "io.vertx.core.internal.buffer.BufferInternal";
  private static final String ALLOCATOR = "io.vertx.core.impl.buffer.VertxByteBufAllocator";
  private static final String BUFFER = "io.vertx.core.buffer.impl.BufferImpl";

  /** Reads a buffer, lets it grow, and writes it; gives what was read. */
  static final class Move implements BiFunction<ByteBuffer, ByteBuffer, Buffer> {
    @Override
    public Buffer apply(ByteBuffer in, ByteBuffer out) {
      Buffer read = BufferBytes.read(in);
      BufferBytes.write(read.copy().appendString("!"), out);
      return read;
    }
  }

  /** Copies a body as the bus does, after it was given. */
  static final class Give implements UnaryOperator<Buffer> {
    @Override
    public Buffer apply(Buffer body) {
      return BufferBytes.given(body).copy();
    }
  }

  private static <T> T without(String missing, Class<? extends T> task) {
    return new MissingClasses(List.of("dev.weir.flow.vertx."), List.of(missing)).make(task);
  }

  private static ByteBuffer filled(ByteBuffer empty) {
    return empty.put("-abc-".getBytes(US_ASCII)).position(1).limit(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {NONE, OPENING, ALLOCATOR, BUFFER})
  void bytesAreMovedWhateverIsMissing(String missing) {
    try (LoggedLines log = LoggedLines.of(BufferBytes.class.getName(), Level.INFO)) {
      BiFunction<ByteBuffer, ByteBuffer, Buffer> move = without(missing, Move.class);
      for (ByteBuffer in :
          List.of(
              filled(ByteBuffer.allocate(5)),
              filled(ByteBuffer.allocateDirect(5)),
              filled(ByteBuffer.allocate(5)).asReadOnlyBuffer())) {
        for (ByteBuffer out : List.of(ByteBuffer.allocate(6), ByteBuffer.allocateDirect(6))) {
          Buffer read = move.apply(in.duplicate(), out.position(1));
          assertThat(read).isEqualTo(Buffer.buffer("abc"));
          assertThat(out.position()).isEqualTo(5);
          assertThat(out.flip().position(1)).isEqualTo(ByteBuffer.wrap("abc!".getBytes(US_ASCII)));
        }
      }
      assertThat(log.lines().isEmpty()).isEqualTo(missing.equals(NONE));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {NONE, OPENING})
  void nothingIsWrittenWhereThereIsTooLittleRoom(String missing) {
    try (LoggedLines log = LoggedLines.of(BufferBytes.class.getName(), Level.WARNING)) {
      BiFunction<ByteBuffer, ByteBuffer, Buffer> move = without(missing, Move.class);
      ByteBuffer small = ByteBuffer.allocate(3);
      assertThatThrownBy(() -> move.apply(filled(ByteBuffer.allocate(5)), small))
          .isInstanceOf(BufferOverflowException.class);
      assertThat(small.position()).isZero();
      assertThat(log.lines()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {NONE, OPENING, BUFFER})
  void aBufferThatIsGivenIsCopiedOnlyWhereVertxLetsNobodyMakeAnother(String missing) {
    try (LoggedLines log = LoggedLines.of(BufferBytes.class.getName(), Level.INFO)) {
      Buffer body = Buffer.buffer("abc");
      Buffer copy = BufferBytesTest.<UnaryOperator<Buffer>>without(missing, Give.class).apply(body);
      assertThat(copy).isEqualTo(body);
      body.setByte(0, (byte) 'x');
      boolean copied = !missing.equals(NONE);
      assertThat(copy).isEqualTo(Buffer.buffer(copied ? "abc" : "xbc"));
      assertThat(log.lines().isEmpty()).isEqualTo(!copied);
    }
  }
}
