package dev.weir.cluster.log;

import dev.weir.cluster.Gate;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.threads.GroupThreads;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** What is written by a thread of its own is a log like others, once it is written. */
class PersisterLogTest extends TransactionLogContract {
  @TempDir Path directory;

  @Override
  TransactionLog open() {
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("a"))
            .setMaxMessageBytes(1 << 20)
            .setWaiting(Waiting.SPIN)
            .setThreads(new ThreadOptions().setPersister(Waiting.BLOCK));
    Persister persister =
        new Persister(
            JeTransactionLog.open(directory), options, new GroupThreads(options, duty -> {}));
    persister.startThread();
    return Gate.before(persister, Set.of("read", "saveSnapshot"), persister::settle);
  }
}
