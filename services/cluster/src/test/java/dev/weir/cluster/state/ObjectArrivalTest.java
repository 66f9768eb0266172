package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.log.ChunkedBytes;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.Spool;
import dev.weir.cluster.log.StoredObjects;
import dev.weir.cluster.protocol.LogEnd;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot that comes in pieces. */
class ObjectArrivalTest implements StoredObjects.Arrival {
  private static final int MESSAGES = 300;
  private static final List<StoredMember.Part> PARTS = List.of(new StoredMember.Part(0, 1));

  @TempDir private Path directory;
  private final TreeMap<Long, byte[]> came = new TreeMap<>();
  private boolean complete;
  private StoredMember member;
  private byte[] snapshot;

  @BeforeEach
  void takeSnapshot() throws IOException {
    member = new StoredMember(directory.resolve("primary"), 0);
    for (int i = 0; i < MESSAGES; i++) {
      member.append(1);
    }
    member.takeSnapshot();
    member.writeSnapshot();
    member.finishSnapshot();
    ChunkedBytes whole = new ChunkedBytes();
    StoredMember.copy(member.log, whole, () -> {});
    snapshot = whole.read().readAllBytes();
  }

  @AfterEach
  void close() {
    member.close();
  }

  @Override
  public void put(long id, byte[] bytes) {
    came.put(id, bytes);
  }

  @Override
  public void complete() {
    complete = true;
  }

  @Override
  public void discard() {
    came.clear();
  }

  @Test
  void objectsAreStoredWhenTheyComeHoweverTheyAreCut() throws IOException {
    TreeMap<Long, byte[]> model = StoredMember.model(PARTS, MESSAGES);
    Random random = new Random(1);
    for (int round = 0; round < 100; round++) {
      came.clear();
      complete = false;
      ObjectArrival arrival = new ObjectArrival(this);
      int most = 1 + random.nextInt(snapshot.length);
      int at = 0;
      while (at < snapshot.length) {
        int part = Math.min(1 + random.nextInt(most), snapshot.length - at);
        arrival.write(snapshot, at, part);
        at += part;
        assertThat(arrival.size()).isEqualTo(at);
      }
      assertThat(came.keySet()).as("before it is read").isEqualTo(model.keySet());
      model.forEach((id, bytes) -> assertThat(came.get(id)).isEqualTo(bytes));
      assertThat(complete).isFalse();
      try (DataInputStream in = new DataInputStream(arrival.read())) {
        SessionsView.skip(in);
        assertThat(in.readInt()).isEqualTo(PagedValues.FORMAT);
        assertThat(in.readInt()).isEqualTo(model.size());
        assertThat(in.read()).isEqualTo(-1);
      }
      assertThat(complete).isTrue();
    }
  }

  @Test
  void whatEndsTooEarlyIsNotComplete() {
    for (int bytes : new int[] {0, 3, snapshot.length / 2, snapshot.length - 1}) {
      ObjectArrival arrival = new ObjectArrival(this);
      arrival.write(snapshot, 0, bytes);
      assertThatThrownBy(arrival::read).isInstanceOf(LogException.class);
    }
    assertThat(complete).isFalse();
  }

  @Test
  void moreObjectsThanItSaysAreRefused() {
    ObjectArrival arrival = new ObjectArrival(this);
    arrival.write(snapshot, 0, snapshot.length);
    assertThatThrownBy(() -> arrival.write(new byte[100], 0, 100)).isInstanceOf(LogException.class);
  }

  @Test
  void anUnknownFormatIsRefusedAtOnceAndTheLogStays() throws IOException {
    int format = snapshot.length;
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(snapshot))) {
      SessionsView.skip(in);
      format -= in.readAllBytes().length;
    }
    ByteBuffer.wrap(snapshot).putInt(format, 77);
    int begin = format + 2 * Integer.BYTES;
    LogEnd end = member.log.end();
    Spool arrival = member.history.arrival();
    assertThatThrownBy(() -> arrival.write(snapshot, 0, begin))
        .isInstanceOf(LogException.class)
        .hasStackTraceContaining("77");
    assertThat(member.log.end()).isEqualTo(end);
    member.check(PARTS);
  }

  @Test
  void halfASnapshotLeavesNothingBehind() {
    for (int i = 0; i < 2; i++) {
      Spool arrival = member.history.arrival();
      arrival.write(snapshot, 0, snapshot.length / 2);
      if (i == 0) {
        arrival.discard();
      }
      member.check(PARTS);
    }
    member.close();
    member = new StoredMember(directory.resolve("primary"), 0);
    member.check(PARTS);
    member.history.clear();
    assertThat(member.state().size()).isZero();
  }
}
