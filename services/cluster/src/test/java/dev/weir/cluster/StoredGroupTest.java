package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A group with more objects than the heap that they are to take. */
@Tag("slow")
@Timeout(600)
class StoredGroupTest {
  private static final int OBJECTS = Integer.getInteger("weir.state.objects", 200_000);
  private static final int OBJECT_BYTES = 330;
  private static final long HEAP_BYTES = 8 << 20;

  /** Log, cache of JE, sessions, code: what does not grow with the objects. */
  private static final long OTHER_BYTES = 64 << 20;

  private static final int PER_READ = 5_000;

  @TempDir private Path directory;
  private TestGroup group;
  private long sequence;

  /** Sets an object to a number, of which its bytes are full. */
  private static final class Objects implements StateReplicatedProcessor {
    private final ByteBuffer value = ByteBuffer.allocate(OBJECT_BYTES);

    @Override
    public void onMessage(Inbound message, State state, Outbound out) {
      long number = message.buffer().getLong(message.offset());
      value.clear();
      while (value.remaining() >= Long.BYTES) {
        value.putLong(number);
      }
      state.put(number % OBJECTS, value.clear());
      out.claim(Long.BYTES).putLong(out.offset(), number);
      out.commit(Long.BYTES);
    }
  }

  private void open() {
    GroupOptions options = TestGroup.patient().setSnapshotBytes(4 << 20).setReplyWindow(1_000);
    group = new TestGroup(options, 2, directory, true);
    group.storedProcessors = Objects::new;
    group.heapBytes = HEAP_BYTES;
    group.startAll();
    group.awaitInSync(2);
  }

  @AfterEach
  void close() {
    group.close();
  }

  private void write(long number) {
    sequence++;
    Await.until(
        () -> "message " + sequence + " is taken: " + group.describe(),
        () -> {
          int primary = group.primary();
          OfferResult result =
              primary < 0 ? OfferResult.NOT_PRIMARY : group.offer(primary, sequence, number);
          if (result != OfferResult.ACCEPTED) {
            group.flush();
          }
          return result == OfferResult.ACCEPTED;
        });
  }

  private void awaitReplies() {
    Await.until(
        () -> "the reply to " + sequence + " comes: " + group.describe(),
        () -> {
          group.flush();
          return group.replies.containsKey(sequence);
        });
    group.replies.clear();
    group.replyCounts.clear();
    group.replyOrder.clear();
  }

  private void fill() {
    for (int id = 0; id < OBJECTS; id++) {
      write(id);
      if (id % 5_000 == 0) {
        awaitReplies();
      }
    }
    awaitReplies();
  }

  private static long usedBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Of all objects of a member, read in pieces. */
  private long checksum(int member) {
    CRC32C crc = new CRC32C();
    int[] missing = {0};
    for (int from = 0; from < OBJECTS; from += PER_READ) {
      int first = from;
      group
          .member(member)
          .readHere(
              state -> {
                for (int id = first; id < Math.min(OBJECTS, first + PER_READ); id++) {
                  ByteBuffer object = state.get(id);
                  if (object == null) {
                    missing[0]++;
                  } else {
                    crc.update(object);
                  }
                }
              });
    }
    assertThat(missing[0]).as("objects that member %s has not", member).isZero();
    group.member(member).readHere(state -> assertThat(state.size()).isEqualTo(OBJECTS));
    return crc.getValue();
  }

  private void deleteFiles(int member) throws IOException {
    try (Stream<Path> files = Files.list(group.directory(member))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aGroupHasMoreObjectsThanHeapAndGivesThemToANewMember() throws Exception {
    open();
    int first = group.primary();
    int other = 1 - first;
    group.kill(other);
    deleteFiles(other);
    long before = usedBytes();
    fill();
    long grown = usedBytes() - before;
    System.out.printf(
        "%,d objects of %d bytes: %d MiB of heap%n", OBJECTS, OBJECT_BYTES, grown >> 20);
    assertThat(grown).as("bytes of heap").isLessThan(HEAP_BYTES + OTHER_BYTES);

    AtomicBoolean joined = new AtomicBoolean();
    group.start(other);
    Thread watch =
        new Thread(
            () -> {
              group.awaitInSync(2);
              joined.set(true);
            });
    watch.start();
    long writes = 0;
    while (!joined.get()) {
      for (int i = 0; i < 100; i++) {
        write(OBJECTS + writes++ * 7919);
      }
      awaitReplies();
    }
    watch.join();
    System.out.printf("%,d objects were changed while they were copied%n", writes);
    assertSame(first, other);

    group.closeGracefully(first);
    group.awaitPrimary();
    write(OBJECTS + 1);
    awaitReplies();
    assertThat(group.primary()).isEqualTo(other);
    group.start(first);
    group.awaitInSync(2);
    assertSame(first, other);
  }

  private void assertSame(int one, int other) {
    Await.until(
        "both have all",
        () -> group.member(one).stats().logEnd() == group.member(other).stats().logEnd());
    assertThat(checksum(other)).isEqualTo(checksum(one));
    List<Long> ends =
        Stream.of(one, other).map(member -> group.member(member).stats().logEnd()).toList();
    assertThat(ends.get(0)).as("nothing was written meanwhile").isEqualTo(ends.get(1));
  }
}
