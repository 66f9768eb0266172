package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.LogFiles;
import dev.weir.queue.segment.SegmentDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A damaged segment costs its own packets and no more, and every lost message is named. */
@Tag("slow")
class DamagedSegmentTest extends DamagedStoreTestBase {
  private static final int ALL = 8000;

  /** More than a packet of such messages has. */
  private static final int PACKET_MESSAGES = 40;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(4096);
  }

  private List<Path> segments() throws IOException {
    return SegmentDirectory.of(killed());
  }

  /** What a disk does to a segment. */
  private enum Damage {
    FLIPPED {
      @Override
      void to(Path segment, Path other) throws IOException {
        LogDamage.flip(segment, Files.size(segment) / 2, 1);
      }
    },
    ZEROED {
      @Override
      void to(Path segment, Path other) throws IOException {
        KilledStore.zero(segment, 300_000, 64 << 10);
      }
    },
    EMPTIED {
      @Override
      void to(Path segment, Path other) throws IOException {
        KilledStore.zero(segment, 0, (int) Files.size(segment));
      }
    },
    CUT {
      @Override
      void to(Path segment, Path other) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
          file.setLength(file.length() / 3);
        }
      }
    },
    EXCHANGED {
      @Override
      void to(Path segment, Path other) throws IOException {
        Files.write(segment, Files.readAllBytes(other));
      }
    },
    MISSING {
      @Override
      void to(Path segment, Path other) throws IOException {
        Files.delete(segment);
      }
    };

    abstract void to(Path segment, Path other) throws IOException;
  }

  /** Exactly what is readable comes, in order, and so many other messages are counted as lost. */
  private void drainReadable(long readable, long leastLost) throws IOException {
    try (QueueStore store = QueueStore.open(killedOptions());
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drainAll(queue);
      List<String> rest = new ArrayList<>(texts(0, ALL, MESSAGE));
      rest.add("last");
      rest.retainAll(new TreeSet<>(found));
      assertThat(found.equals(rest)).as("intact and in order").isTrue();
      assertThat(found).hasSize((int) readable).endsWith("last");
      assertThat(queue.stats().lost()).isBetween(leastLost, ALL + 1 - readable);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatADamagedSegmentHadIsNamedAndTheRestComes(Damage damage) throws IOException {
    fill(storeOptions(), ALL, 0);
    damage.to(segments().get(1), segments().get(2));

    VerifyReport report = QueueVerifier.verify(killed());

    assertThat(report.ok()).isFalse();
    assertThat(report.openFailure()).isNull();
    assertThat(report.lostMessages()).isPositive();
    assertThat(report.readableMessages() + report.lostMessages()).isEqualTo(ALL + 1);
    assertThat(unnamed(ALL + 1)).isEmpty();
    for (String command : List.of("list", "stats")) {
      ToolRun counted = ToolRun.of(command, killed());
      assertThat(counted.exitCode()).isEqualTo(1);
      assertThat(counted.err())
          .contains(report.lostMessages() + " messages cannot be read and are not counted");
    }
    ToolRun exported = ToolRun.of("export", killed(), "--all");
    assertThat(exported.lines()).hasSize((int) report.readableMessages());
    ToolRun.of("compact", killed());
    assertThat(QueueVerifier.verify(killed()).readableMessages())
        .as("readable after a compaction")
        .isEqualTo(report.readableMessages());
    drainReadable(report.readableMessages(), ALL + 1 - report.readableMessages());
  }

  @ParameterizedTest
  @EnumSource(names = {"FLIPPED", "CUT", "MISSING"})
  void aRepairOfTheLogKeepsWhatADamagedSegmentStillHas(Damage damage) throws IOException {
    fill(storeOptions(), ALL, 0);
    damage.to(segments().get(1), segments().get(2));
    long before = QueueVerifier.verify(killed()).readableMessages();
    Path log = LogFiles.of(killed()).get(0);
    LogDamage.flip(log, Files.size(log) / 2, 1);

    VerifyReport report = QueueVerifier.verify(killed());

    assertThat(report.faults()).isNotEmpty();
    // One entry of the log: a reference to one packet at most. If that packet was in the damaged
    // segment, its messages
    // are gone with their last trace, and only the check before the repair can name them.
    assertThat(report.readableMessages()).isBetween(before - PACKET_MESSAGES, before);
    assertThat(unnamed(ALL + 1)).isEmpty();
    drainReadable(report.readableMessages(), ALL + 1 - before - PACKET_MESSAGES);
    assertThat(killed().resolve("damaged")).isDirectory();
  }

  /** Nobody was told that they are on the device. */
  @Test
  void whatALossOfPowerTookIsNotCountedAsLostAfterARepair() throws IOException {
    int more = 200;
    // Each packet is in a segment, however few messages it has.
    try (QueueStore store = QueueStore.open(storeOptions().setSegmentThresholdBytes(1));
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, ALL, MESSAGE));
      KilledStore.awaitWritten(queue);
      KilledStore.force(store.engine().files(), data());
      appendAll(queue, texts(ALL, ALL + more, MESSAGE));
      kill();
    }
    KilledStore.restartMachine(killed());
    for (Path segment : segments()) {
      loseUnforced(segment, more);
    }
    Path log = LogFiles.of(killed()).get(0);
    LogDamage.flip(log, Files.size(log) / 4, 1);
    try (QueueStore store = QueueStore.open(killedOptions());
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drainAll(queue);
      assertThat(found).hasSizeBetween(ALL - 40, ALL);
      assertThat(queue.stats().lost()).isBetween(0L, 40L);
    }
  }

  /** Zeros each packet from the first unforced one on. */
  private static void loseUnforced(Path segment, int more) throws IOException {
    String bytes = Files.readString(segment, StandardCharsets.ISO_8859_1);
    OptionalInt at =
        IntStream.range(ALL, ALL + more)
            .map(number -> bytes.indexOf(text(number, MESSAGE)))
            .filter(found -> found >= 0)
            .min();
    if (at.isPresent()) {
      KilledStore.zero(segment, at.getAsInt(), (int) Files.size(segment) - at.getAsInt());
    }
  }

  @Test
  void aFlippedBitOfTheLogNamesNoMessageThatNeverWas() throws IOException {
    flipBits(5);
  }

  @Test
  @Tag("soak")
  void noFlippedBitOfTheLogNamesAMessageThatNeverWas() throws IOException {
    flipBits(1);
  }

  /** The lowest bit of each byte of an entry and more, or of each so many of them. */
  private void flipBits(int each) throws IOException {
    fill(storeOptions(), ALL, 0);
    Damage.MISSING.to(segments().get(1), segments().get(2));
    Path log = LogFiles.of(killed()).get(0);
    long middle = Files.size(log) / 2;
    int first = ThreadLocalRandom.current().nextInt(each);
    for (long offset = middle + first; offset < middle + 150; offset += each) {
      LogDamage.flip(log, offset, 1);
      assertThat(unnamed(ALL + 1)).as("bit flipped at %d", offset).isEmpty();
      LogDamage.flip(log, offset, 1);
    }
  }

  @Test
  void whatWasHandledDoesNotComeBackWithADamagedSegment() throws IOException {
    int handled = 5000;
    fill(storeOptions(), ALL, handled);
    LogDamage.flip(segments().get(0), 100, 1);
    List<String> found = drainKilled(handled - 100);
    assertThat(found.size()).isBetween(ALL - handled - 40, ALL - handled + 100);
  }
}
