package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.StateView;
import dev.weir.cluster.log.ChunkedBytes;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A snapshot of a state of -Dweir.state.mib MiB, 256 by default, is written while messages are
 * handled.
 */
@Tag("slow")
@Timeout(900)
class LargeStateTest {
  private static final int OBJECT_BYTES = 4 << 10;
  private static final int ROUNDS = 3;
  private static final int CLIENTS = 100_000;
  private static final int REPLIES = 16;
  private static final int REPLY_BYTES = 64;

  private final int objects = Integer.getInteger("weir.state.mib", 256) << 8;
  private final StateTable table = new StateTable(1 << 20);
  private final ByteBuffer value = ByteBuffer.allocate(OBJECT_BYTES);

  /** Writes one object, as a message would; returns how long that took. */
  private long write(long id, long content) {
    long startNs = System.nanoTime();
    table.begin();
    table.put(id, value.putLong(0, content));
    return System.nanoTime() - startNs;
  }

  private static long checksum(StateView view) {
    CRC32C crc = new CRC32C();
    try (DataOutputStream out =
        new DataOutputStream(new CheckedOutputStream(OutputStream.nullOutputStream(), crc))) {
      view.save(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return crc.getValue();
  }

  /**
   * Pauses are compared with the time to write all; the shortest counts, for a machine may stop.
   */
  @Test
  void takingAndEndingAViewStopsNobody() {
    for (int id = 0; id < objects; id++) {
      write(id, id);
    }
    long content = 0;
    long takenNs = Long.MAX_VALUE;
    long endedNs = Long.MAX_VALUE;
    long copyNs = Long.MAX_VALUE;
    long slowestNs = Long.MAX_VALUE;
    long messages = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long startNs = System.nanoTime();
      StateView first = table.view();
      long expected = checksum(first);
      copyNs = Math.min(copyNs, System.nanoTime() - startNs);
      first.close();

      startNs = System.nanoTime();
      StateView view = table.view();
      takenNs = Math.min(takenNs, System.nanoTime() - startNs);
      CompletableFuture<Long> written = CompletableFuture.supplyAsync(() -> checksum(view));
      long last = content + objects / 4;
      long slowest = 0;
      while (!written.isDone() || content < last) {
        slowest = Math.max(slowest, write(content * 31 % objects, - ++content));
        messages++;
      }
      startNs = System.nanoTime();
      view.close();
      endedNs = Math.min(endedNs, System.nanoTime() - startNs);
      slowestNs = Math.min(slowestNs, slowest);
      assertThat(written.join()).as("the state as it was").isEqualTo(expected);
    }
    System.out.printf(
        "%d MiB, written in %d ms: taken in %d us, ended in %d us, %d messages meanwhile,"
            + " the slowest in %d us%n",
        objects >> 8,
        copyNs / 1_000_000,
        takenNs / 1000,
        endedNs / 1000,
        messages,
        slowestNs / 1000);
    assertThat(takenNs).as("ns to take the view").isLessThan(copyNs / 10);
    assertThat(endedNs).as("ns to end the view").isLessThan(copyNs / 10);
  }

  @Test
  void takingAViewOfTheSessionsCopiesNoReplies() throws IOException {
    Sessions sessions = new Sessions(REPLIES, REPLY_BYTES, CLIENTS, Long.MAX_VALUE);
    for (int sequence = 1; sequence <= REPLIES; sequence++) {
      for (int client = 0; client < CLIENTS; client++) {
        sessions.claim(client, REPLY_BYTES);
        sessions.commit(client, sequence, REPLY_BYTES);
      }
    }
    long takenNs = Long.MAX_VALUE;
    long writtenNs = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long startNs = System.nanoTime();
      SessionsView view = sessions.view();
      takenNs = Math.min(takenNs, System.nanoTime() - startNs);
      startNs = System.nanoTime();
      view.save(new DataOutputStream(new ChunkedBytes()), 1);
      writtenNs = Math.min(writtenNs, System.nanoTime() - startNs);
    }
    System.out.printf(
        "%,d clients with %d replies, written in %d us: taken in %d us%n",
        CLIENTS, REPLIES, writtenNs / 1000, takenNs / 1000);
    assertThat(takenNs).as("ns to take the view").isLessThan(writtenNs / 3);
  }
}
