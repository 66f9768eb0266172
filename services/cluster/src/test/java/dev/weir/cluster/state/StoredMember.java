package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.Spool;
import dev.weir.cluster.log.TransactionLog;
import java.io.DataInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Log and state of a backup on a disk. What a message changes follows from its position and epoch.
 */
final class StoredMember implements AutoCloseable {
  private static final int IDS = 200;
  private static final int MAX_BYTES = 200;
  private static final int MAX_MESSAGE_BYTES = 1 << 16;

  final TransactionLog log;
  final History history;

  /** What messages of an epoch begin at a position. */
  record Part(long position, long epoch) {}

  StoredMember(Path directory, long heapBytes) {
    log = JeTransactionLog.open(directory);
    GroupOptions options = new GroupOptions().setMembers(List.of("m"));
    Sessions sessions = new Sessions(1, MAX_MESSAGE_BYTES, 10, Long.MAX_VALUE);
    history =
        new History(
            options,
            log,
            sessions,
            new StateReplication(
                new Nothing(),
                sessions,
                MAX_MESSAGE_BYTES,
                log.objects(true),
                new State.Heap(heapBytes)));
  }

  private static final class Nothing implements StateReplicatedProcessor {
    @Override
    public void onMessage(Inbound message, State state, Outbound out) {
      throw new AssertionError("a backup handles nothing");
    }
  }

  State state() {
    return history.handling().readable();
  }

  long end() {
    return log.end().position();
  }

  /** Appends a message and applies it. */
  void append(long epoch) {
    ByteBuffer batch = batch(epoch, end());
    history.append(batch);
    history.replay(batch, 0);
  }

  private static ByteBuffer batch(long epoch, long position) {
    ByteBuffer batch = ByteBuffer.allocate(10_000);
    Batch.begin(batch, 0, 1, epoch, position, 1_000_000 + position);
    int at = Batch.body(Batch.HEADER_BYTES);
    batch.position(at + Integer.BYTES);
    TreeMap<Long, byte[]> changes = changes(epoch, position);
    batch.putInt(changes.size());
    changes.forEach(
        (id, bytes) -> {
          batch.putLong(id).putInt(bytes == null ? -1 : bytes.length);
          if (bytes != null) {
            batch.put(bytes);
          }
        });
    int length = batch.position() - at;
    batch.putInt(at, length - Integer.BYTES);
    Batch.add(batch, 0, 1, position + 1, length);
    Batch.seal(batch, 0, new CRC32C());
    return batch.position(0).limit(Batch.bytes(batch, 0));
  }

  private static TreeMap<Long, byte[]> changes(long epoch, long position) {
    Random random = new Random(epoch * 1_000_003 + position);
    TreeMap<Long, byte[]> changes = new TreeMap<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      byte[] bytes = null;
      if (random.nextInt(4) > 0) {
        bytes = new byte[random.nextInt(MAX_BYTES)];
        random.nextBytes(bytes);
      }
      changes.put((long) random.nextInt(IDS) - IDS / 2, bytes);
    }
    return changes;
  }

  /** Takes a snapshot, to be written later. */
  void takeSnapshot() {
    history.snapshots().demand();
    assertThat(history.takeSnapshotIfDue()).isTrue();
  }

  void writeSnapshot() {
    history.snapshots().write(history.snapshots().taken());
  }

  void finishSnapshot() {
    history.snapshots().written();
  }

  /** What another replica is sent, as a spool of that one. */
  static void copy(TransactionLog from, Spool to, Runnable meanwhile) throws IOException {
    from.copySnapshot(in -> copy(in, to, meanwhile));
  }

  private static void copy(DataInput in, Spool to, Runnable meanwhile) throws IOException {
    byte[] piece = new byte[1];
    try {
      for (int i = 0; ; i++) {
        piece[0] = in.readByte();
        to.write(piece, 0, 1);
        if (i % 1000 == 0) {
          meanwhile.run();
        }
      }
    } catch (EOFException e) {
      meanwhile.run();
    }
  }

  /** The state after all messages up to a position. */
  static TreeMap<Long, byte[]> model(List<Part> parts, long end) {
    TreeMap<Long, byte[]> model = new TreeMap<>();
    int part = -1;
    for (long position = 0; position < end; position++) {
      while (part + 1 < parts.size() && parts.get(part + 1).position() <= position) {
        part++;
      }
      model.putAll(changes(parts.get(part).epoch(), position));
    }
    model.values().removeIf(bytes -> bytes == null);
    return model;
  }

  /** Checks that the state is what the log leads to. */
  void check(List<Part> parts) {
    TreeMap<Long, byte[]> model = model(parts, end());
    State state = state();
    assertThat(state.size()).as("objects at " + log.end()).isEqualTo(model.size());
    for (long id = -IDS / 2; id < IDS / 2; id++) {
      byte[] bytes = model.get(id);
      assertThat(state.get(id))
          .as("object %s at %s", id, log.end())
          .isEqualTo(bytes == null ? null : ByteBuffer.wrap(bytes));
    }
  }

  /** Positions at which the log can be truncated. */
  long boundary(Random random) {
    return log.start() + (long) (random.nextDouble() * (end() - log.start() + 1));
  }

  @Override
  public void close() {
    log.close();
  }
}
