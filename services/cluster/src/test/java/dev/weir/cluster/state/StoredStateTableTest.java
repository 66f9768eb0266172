package dev.weir.cluster.state;

import dev.weir.cluster.State;
import dev.weir.cluster.StateView;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Objects on a disk, of which the memory has room for none but those that always stay. */
class StoredStateTableTest extends StateTableContract {
  @TempDir private Path directory;
  private TransactionLog log;

  @Override
  StateTable open(int maxChangeBytes) throws IOException {
    if (log == null) {
      log = JeTransactionLog.open(directory);
    }
    log.reset(LogEnd.EMPTY);
    return new StateTable(maxChangeBytes, log.objects(true), new State.Heap(0));
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Override
  byte[] whole(StateView view) throws IOException {
    log.saveSnapshot(LogEnd.EMPTY, view::save);
    view.close();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    log.copySnapshot(
        in -> {
          int read;
          byte[] piece = new byte[1000];
          while ((read = ((InputStream) in).read(piece)) >= 0) {
            out.write(piece, 0, read);
          }
        });
    return out.toByteArray();
  }
}
