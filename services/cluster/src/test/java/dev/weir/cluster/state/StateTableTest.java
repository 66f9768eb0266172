package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Allocation;
import dev.weir.cluster.StateView;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** All objects in memory. */
class StateTableTest extends StateTableContract {
  private final StateTable table = open(1 << 20);

  @Override
  StateTable open(int maxChangeBytes) {
    return new StateTable(maxChangeBytes);
  }

  @Override
  byte[] whole(StateView view) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    view.save(new DataOutputStream(out));
    view.close();
    return out.toByteArray();
  }

  @Test
  void replacingObjectsBySuchOfNoMoreBytesAllocatesNothing() {
    StateTable backup = new StateTable(1 << 20);
    ByteBuffer value = ByteBuffer.allocate(200);
    int[] turn = new int[1];
    Runnable message =
        () -> {
          int id = turn[0]++ % 1000;
          table.begin();
          table.put(id, value.limit(200 - id % 7));
          table.put(id, table.get(id));
          backup.apply(table.changes(), 0, table.changeBytes());
        };
    for (int i = 0; i < 20_000; i++) {
      message.run();
    }
    assertThat(Allocation.bytesPerRun(10_000, message)).isZero();
  }
}
