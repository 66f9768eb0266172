package dev.weir.bench.persistence.loggers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.persistence.loggers.LoggersScenario.Mechanisms;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.ReadBack;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.persistence.store.file.FileMechanism;
import dev.weir.bench.persistence.store.je.JeMechanism;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MechanismTest {
  private static final int BYTES = 100;
  private static final int PER_COMMIT = 8;
  private static final long OBJECTS = 10;

  /** Not a multiple of a commit. */
  private static final long MESSAGES = 10 * PER_COMMIT + 3;

  private final Payload payload = new Payload(1, BYTES);

  @TempDir Path directory;

  static List<Arguments> all() {
    List<Arguments> all = new ArrayList<>();
    for (Mechanism mechanism : Mechanisms.all()) {
      for (Shape shape : Shape.values()) {
        for (Flush flush : mechanism.flushes(shape)) {
          all.add(Arguments.of(mechanism.path(), mechanism, shape, flush));
        }
      }
    }
    return all;
  }

  @ParameterizedTest(name = "{0} {2} {3}")
  @MethodSource("all")
  void givesBackWhatWasWritten(String path, Mechanism mechanism, Shape shape, Flush flush)
      throws IOException {
    LogSpec spec = LogSpec.of(shape, flush, BYTES, PER_COMMIT, OBJECTS);
    write(mechanism, spec, MESSAGES);

    assertThat(readBack(mechanism, spec).toString()).isEqualTo("OK");
  }

  @ParameterizedTest(name = "{0} {2} {3}")
  @MethodSource("all")
  void missesTheLastMessages(String path, Mechanism mechanism, Shape shape, Flush flush)
      throws IOException {
    LogSpec spec = LogSpec.of(shape, flush, BYTES, PER_COMMIT, OBJECTS);
    write(mechanism, spec, MESSAGES - 1);

    assertThat(readBack(mechanism, spec).isOk()).isFalse();
  }

  static Stream<Arguments> filesToDamage() {
    return Stream.of(
        Arguments.of(new FileMechanism(), Shape.MESSAGE),
        Arguments.of(new FileMechanism(), Shape.PACKET),
        Arguments.of(new JeMechanism(), Shape.MESSAGE),
        Arguments.of(new JeMechanism(), Shape.PACKET),
        Arguments.of(new JeMechanism(), Shape.STORE));
  }

  @ParameterizedTest
  @MethodSource("filesToDamage")
  void findsAFlippedByte(Mechanism mechanism, Shape shape) throws IOException {
    LogSpec spec = LogSpec.of(shape, Flush.OS, BYTES, PER_COMMIT, MESSAGES);
    write(mechanism, spec, MESSAGES);
    flipAByteOfAMessage();

    assertThat(readBack(mechanism, spec).isOk()).isFalse();
  }

  @Test
  void findsASwappedOrderAndARepeatedMessage() {
    LogSpec spec = LogSpec.of(Shape.MESSAGE, Flush.OS, BYTES, 1, 1);
    ReadBack readBack = new ReadBack(spec, payload, 3, false);

    readBack.accept(payload.create(1));
    readBack.accept(payload.create(0));
    readBack.accept(payload.create(1));

    assertThat(readBack.verdict().toString()).contains("lost 1", "out of order 1", "duplicates 1");
  }

  @Test
  void findsAnObjectThatIsNotInItsLastState() {
    LogSpec spec = LogSpec.of(Shape.STORE, Flush.OS, BYTES, 1, 2);
    ReadBack readBack = new ReadBack(spec, payload, 4, true);

    readBack.accept(payload.create(0));
    readBack.accept(payload.create(3));

    assertThat(readBack.verdict().toString()).contains("lost 1", "corrupt 1");
  }

  private void write(Mechanism mechanism, LogSpec spec, long messages) throws IOException {
    try (MessageLog log = MessageLog.open(mechanism, directory, spec)) {
      for (long number = 0; number < messages; number++) {
        log.append(number, payload.create(number));
        if ((number + 1) % PER_COMMIT == 0) {
          log.commit();
        }
      }
      log.commit();
    }
  }

  private Verdict readBack(Mechanism mechanism, LogSpec spec) throws IOException {
    try (MessageLog log = MessageLog.open(mechanism, directory, spec)) {
      return new ReadBack(spec, payload, MESSAGES, log.lastStatesOnly()).readAll(log);
    } catch (RuntimeException e) {
      return Verdict.fail("could not be opened: " + ReadBack.firstLine(e));
    }
  }

  /** In the middle of the message that is first in the largest file. */
  private void flipAByteOfAMessage() throws IOException {
    Path file;
    try (Stream<Path> files = Files.list(directory)) {
      file = files.max(Comparator.comparing(path -> path.toFile().length())).orElseThrow();
    }
    byte[] message = payload.create(MESSAGES / 2);
    byte[] content = Files.readAllBytes(file);
    int at = indexOf(content, message);
    assertThat(at).as("place of the message").isNotNegative();
    try (RandomAccessFile writer = new RandomAccessFile(file.toFile(), "rw")) {
      writer.seek(at + BYTES / 2);
      writer.write(content[at + BYTES / 2] ^ 1);
    }
  }

  private static int indexOf(byte[] content, byte[] part) {
    for (int at = 0; at <= content.length - part.length; at++) {
      if (Arrays.equals(content, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    return -1;
  }
}
