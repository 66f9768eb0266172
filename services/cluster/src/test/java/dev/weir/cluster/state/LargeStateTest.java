package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.StateView;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
@Timeout(300)
class LargeStateTest {
  private static final int OBJECT_BYTES = 4 << 10;
  private static final long MAX_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

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

  @Test
  void takingAndEndingAViewStopsNobody() {
    for (int id = 0; id < objects; id++) {
      write(id, id);
    }
    StateView first = table.view();
    long expected = checksum(first);
    first.close();

    long startNs = System.nanoTime();
    StateView view = table.view();
    long takenNs = System.nanoTime() - startNs;
    CompletableFuture<Long> written = CompletableFuture.supplyAsync(() -> checksum(view));
    long messages = 0;
    long slowNs = 0;
    while (!written.isDone() || messages < objects / 4) {
      long tookNs = write(messages * 31 % objects, -messages);
      slowNs += tookNs > MAX_PAUSE_NS ? tookNs : 0;
      messages++;
    }
    startNs = System.nanoTime();
    view.close();
    long endedNs = System.nanoTime() - startNs;
    assertThat(written.join()).as("the state as it was").isEqualTo(expected);
    assertThat(takenNs).as("ns to take the view").isLessThan(MAX_PAUSE_NS);
    assertThat(endedNs).as("ns to end the view").isLessThan(MAX_PAUSE_NS);
    while (!table.mayView()) {
      assertThat(write(1, messages)).as("ns to move changes back").isLessThan(10 * MAX_PAUSE_NS);
    }
    System.out.printf(
        "%d MiB: taken in %d us, ended in %d us, %d messages meanwhile, slow ones %d ms%n",
        objects >> 8, takenNs / 1000, endedNs / 1000, messages, slowNs / 1_000_000);
  }
}
