package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.SizedCodec;
import io.netty.buffer.Unpooled;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import io.vertx.core.shareddata.Shareable;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies whose codec does not encode: the estimate is at least what they hold, and not absurd. */
class BodySizesTest {
  private static final int BYTES = 1_000_000;
  private static final long LIMIT = 64L << 20;

  record Picture(byte[] pixels) {}

  static class Parent {
    final byte[] inherited = new byte[BYTES];
  }

  static final class Child extends Parent {
    final Child self = this;
  }

  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;
  }

  record Local(byte[] bytes) implements Shareable {}

  private static Picture picture() {
    return new Picture(new byte[BYTES]);
  }

  static Stream<Arguments> bodiesOfOneMegabyte() {
    Names names = new Names();
    names.add("x".repeat(BYTES / 2));
    Supplier<Integer> lambda =
        new Supplier<>() {
          private final int[] numbers = new int[BYTES / 4];

          @Override
          public Integer get() {
            return numbers.length;
          }
        };
    return Stream.<Object>of(
            picture(),
            new Child(),
            names,
            lambda,
            List.of(picture()),
            new LinkedList<>(List.of(Optional.of(picture()))),
            Map.of(picture(), "value"),
            new HashMap<>(Map.of("key", new AtomicReference<>(picture()))),
            new Object[] {null, new Object[] {picture()}},
            new boolean[BYTES],
            new int[BYTES / 4],
            new double[BYTES / 8],
            new StringBuilder("x".repeat(BYTES / 2)),
            new JsonObject().put("picture", new Local(new byte[BYTES])),
            ByteBuffer.allocate(BYTES),
            List.of(ByteBuffer.allocateDirect(BYTES)),
            List.of(Unpooled.wrappedBuffer(new byte[BYTES])),
            new AtomicReferenceArray<>(new Object[] {picture()}),
            stream(),
            numbers(),
            List.of(Buffer.buffer(new byte[BYTES])))
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("bodiesOfOneMegabyte")
  void aBodyCountsWhatItLeadsTo(Object body) {
    assertThat(bytes(body)).isBetween((long) BYTES, 3L * BYTES);
  }

  @Test
  void manySmallObjectsCountAsMuchAsTheyHold() {
    List<Integer> numbers = new LinkedList<>(IntStream.range(1000, 101_000).boxed().toList());
    assertThat(bytes(numbers)).isGreaterThan(100_000 * 40L);
  }

  private static ByteArrayOutputStream stream() {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.writeBytes(new byte[BYTES]);
    return stream;
  }

  private static BitSet numbers() {
    BitSet numbers = new BitSet();
    numbers.set(8 * BYTES);
    return numbers;
  }

  @Test
  void anObjectOfTheRuntimeThatCannotBeAskedIsTooLargeToWait() {
    BufferedImage image = new BufferedImage(1000, 1000, BufferedImage.TYPE_INT_RGB);
    assertThat(bytes(image)).isEqualTo(ObjectSizes.UNKNOWN);
    assertThat(bytes(List.of(image))).isEqualTo(ObjectSizes.UNKNOWN);
    assertThat(bytes(new ByteArrayInputStream(new byte[BYTES]))).isEqualTo(ObjectSizes.UNKNOWN);
  }

  @Test
  void valuesOfTheRuntimeAreSmall() {
    Object[] values = {
      Instant.now(),
      UUID.randomUUID(),
      Path.of("a"),
      URI.create("weir:a"),
      Locale.ROOT,
      DayOfWeek.MONDAY,
      new File("a"),
      new Date(),
      Pattern.compile("a"),
      StandardCharsets.UTF_8,
      new ReentrantLock(),
      Optional.empty()
    };
    assertThat(bytes(values)).isLessThan(2_000);
  }

  @Test
  void anObjectThatIsReferredToTwiceCountsOnce() {
    assertThat(bytes(new Object[] {new Child(), picture()})).isLessThan(3L * BYTES);
    Picture picture = picture();
    assertThat(bytes(Arrays.asList(picture, picture, picture))).isLessThan(2L * BYTES);
  }

  @Test
  void objectsOfTheRuntimeAreNotFollowed() {
    Vertx vertx = Vertx.vertx();
    try {
      assertThat(bytes(new Object[] {vertx, Thread.currentThread(), BodySizesTest.class}))
          .isLessThan(1_000);
    } finally {
      vertx.close().await();
    }
  }

  @Test
  void countingEndsAboveTheLimit() {
    List<Picture> pictures = Stream.generate(BodySizesTest::picture).limit(10).toList();
    assertThat(BodySizes.of(new LocalCodec(), pictures, BYTES)).isBetween(1L * BYTES, 3L * BYTES);
  }

  @Test
  void aCollectionThatChangesWhileItIsCountedIsTooLargeToWait() {
    List<Object> changing =
        new ArrayList<>() {
          private static final long serialVersionUID = 1;

          @Override
          public java.util.Iterator<Object> iterator() {
            throw new java.util.ConcurrentModificationException();
          }
        };
    assertThat(bytes(changing)).isEqualTo(ObjectSizes.UNKNOWN);
  }

  @Test
  void aSizedCodecIsAsked() {
    assertThat(BodySizes.of(new Sized(5_000), picture(), LIMIT)).isBetween(5_000L, 5_100L);
    assertThat(BodySizes.of(new Sized(-1), picture(), LIMIT)).isNotNegative();
    assertThat(BodySizes.of(new Sized(Long.MAX_VALUE), picture(), LIMIT)).isGreaterThan(LIMIT);
  }

  private static long bytes(Object body) {
    return BodySizes.of(new LocalCodec(), body, LIMIT);
  }

  private static class LocalCodec implements MessageCodec<Object, Object> {
    @Override
    public void encodeToWire(Buffer wire, Object body) {
      throw new UnsupportedOperationException("for the local bus");
    }

    @Override
    public Object decodeFromWire(int position, Buffer wire) {
      throw new UnsupportedOperationException("for the local bus");
    }

    @Override
    public Object transform(Object body) {
      return body;
    }

    @Override
    public String name() {
      return "local";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  private static final class Sized extends LocalCodec implements SizedCodec<Object, Object> {
    private final long bytes;

    Sized(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public long heapBytes(Object body) {
      return bytes;
    }
  }
}
