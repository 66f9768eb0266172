package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.log.Spool;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state on the disk of its log is always what the log leads to. */
class StoredStateTest {
  private static final int SEEDS = 6;
  private static final int STEPS = 60;

  @TempDir private Path directory;

  @Test
  void theStateIsWhatTheLogLeadsTo() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      try {
        new Walk(directory.resolve("seed" + seed), new Random(seed)).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  @Test
  void nothingIsTakenBackWhileASnapshotIsWritten() throws IOException {
    List<StoredMember.Part> parts = List.of(new StoredMember.Part(0, 1));
    try (StoredMember member = new StoredMember(directory.resolve("taken"), 0)) {
      for (int i = 0; i < 10; i++) {
        member.append(1);
      }
      member.takeSnapshot();
      member.append(1);
      LogEnd end = member.log.end();
      History history = member.history;
      Spool nothing = history.arrival();
      for (ThrowingCallable change :
          List.<ThrowingCallable>of(
              () -> history.truncate(10),
              () -> history.replaceBy(end, nothing),
              history::rebuild,
              history::clear)) {
        assertThatThrownBy(change).isInstanceOf(IllegalStateException.class);
      }
      assertThat(member.log.end()).isEqualTo(end);
      member.writeSnapshot();
      member.finishSnapshot();
      history.truncate(10);
      member.check(parts);
    }
  }

  /** Does everything to a member, at random. */
  private static final class Walk {
    private final Path directory;
    private final Random random;
    private final List<StoredMember.Part> parts = new ArrayList<>();
    private final long heapBytes;
    private StoredMember member;
    private long epoch = 1;
    private int copies;

    Walk(Path directory, Random random) {
      this.directory = directory;
      this.random = random;
      this.heapBytes = random.nextInt(3) == 0 ? 1 << 20 : random.nextInt(20_000);
      parts.add(new StoredMember.Part(0, 1));
      member = open();
    }

    private StoredMember open() {
      return new StoredMember(directory.resolve("member"), heapBytes);
    }

    void run() throws IOException {
      for (int step = 0; step < STEPS; step++) {
        append(random.nextInt(40));
        switch (random.nextInt(6)) {
          case 0 -> {
            member.close();
            member = open();
          }
          case 1 -> truncate();
          case 2 -> copy();
          default -> snapshot();
        }
        member.check(parts);
      }
      member.close();
    }

    private void append(int messages) {
      for (int i = 0; i < messages; i++) {
        member.append(epoch);
      }
    }

    private void snapshot() {
      member.takeSnapshot();
      append(random.nextInt(30));
      member.writeSnapshot();
      append(random.nextInt(30));
      member.finishSnapshot();
    }

    private void truncate() {
      long position = member.boundary(random);
      member.history.truncate(position);
      epoch++;
      while (parts.get(parts.size() - 1).position() >= position && parts.size() > 1) {
        parts.remove(parts.size() - 1);
      }
      if (position == 0) {
        parts.clear();
      }
      parts.add(new StoredMember.Part(position, epoch));
    }

    /** To another member, which then has the log of the copy's end, while changes go on. */
    private void copy() throws IOException {
      LogEnd end = member.log.snapshot();
      if (end.position() == 0) {
        return;
      }
      Path copy = directory.resolve("copy" + copies++);
      try (StoredMember other = new StoredMember(copy, heapBytes)) {
        for (int i = random.nextInt(20); i > 0; i--) {
          other.append(1);
        }
        Spool spool = other.history.arrival();
        StoredMember.copy(member.log, spool, this::change);
        other.history.replaceBy(end, spool);
        spool.discard();
        assertThat(other.log.end()).isEqualTo(end);
        other.check(parts);
        other.append(epoch);
      }
      try (StoredMember other = new StoredMember(copy, heapBytes)) {
        assertThat(other.end()).isEqualTo(end.position() + 1);
        other.history.truncate(end.position());
        other.check(parts);
      }
    }

    private void change() {
      append(random.nextInt(3));
      if (random.nextInt(3) == 0) {
        snapshot();
      }
    }
  }
}
