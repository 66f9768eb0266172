package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest extends QueueTestBase {
  @TempDir Path elsewhere;

  private QueueStore openCopy(Path copy) {
    return QueueStore.open(storeOptions().setDirectory(copy));
  }

  @Test
  void aCopyHasWhatWasDurableAndCanBeOpenedWhileTheStoreGoesOn() {
    Path copy = elsewhere.resolve("copy");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 5000, 500));
      QueueReader<String> reader = new QueueReader<>(queue);
      queue.reject(reader.next(), "bad");
      reader.drain(99);
      Await.until("it is dead", () -> queue.deadLetters().count() == 1);
      assertThat(store.backup(copy)).isPositive();
      appendAll(queue, texts(5000, 5010, 500));
      assertThat(reader.drain(4910)).isEqualTo(texts(100, 5010, 500));
    }
    try (QueueStore store = openCopy(copy);
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.deadLetters().count()).isEqualTo(1);
      List<String> all = new QueueReader<>(queue).drain((int) queue.stats().recovered());
      // What was acknowledged last may come again.
      assertThat(texts(1, 5000, 500)).endsWith(all.toArray(String[]::new));
      assertThat(all).hasSizeGreaterThanOrEqualTo(4900);
    }
  }

  @Test
  void aCopyMadeWhileMessagesComeAndGoIsWholeAndInOrder() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      CompletableFuture<Void> copies =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 5; i++) {
                  store.backup(elsewhere.resolve("copy" + i));
                }
              });
      QueueReader<String> reader = new QueueReader<>(queue);
      int appended = 0;
      int drained = 0;
      while (!copies.isDone() || appended < 5000) {
        appendAll(queue, texts(appended, appended + 500, 300));
        appended += 500;
        drained += reader.drain(400).size();
      }
      copies.join();
      assertThat(drained).isPositive();
    }
    for (int i = 0; i < 5; i++) {
      try (QueueStore store = openCopy(elsewhere.resolve("copy" + i));
          DurableQueue<String> queue = openQueue(store)) {
        List<Integer> numbers = new ArrayList<>();
        for (String message : new QueueReader<>(queue).drain((int) queue.stats().recovered())) {
          numbers.add(Integer.parseInt(message.substring(0, message.indexOf(':'))));
        }
        for (int k = 1; k < numbers.size(); k++) {
          assertThat(numbers.get(k)).isEqualTo(numbers.get(k - 1) + 1);
        }
      }
    }
  }

  @Test
  void aTargetThatIsInUseIsRefusedAndNotTouched() throws IOException {
    Path file = Files.writeString(elsewhere.resolve("file"), "mine");
    try (QueueStore store = openStore()) {
      assertRefused(store, elsewhere, Reason.DIRECTORY_UNUSABLE, "allowed is a new or an empty");
      assertRefused(store, file, Reason.DIRECTORY_UNUSABLE, "allowed is a new or an empty");
      assertRefused(store, file.resolve("below"), Reason.DIRECTORY_UNUSABLE, "failed: ");
      assertThat(file).hasContent("mine");
      Path empty = Files.createDirectory(elsewhere.resolve("empty"));
      store.backup(empty);
      openCopy(empty).close();
    }
  }

  @Test
  void whatLiesWhereACopyIsMadeIsDeletedOnlyIfAKilledCopyHasLeftIt() throws IOException {
    Path target = elsewhere.resolve("copy");
    Path partial = Files.createDirectory(elsewhere.resolve("copy.partial"));
    Path mine = Files.writeString(partial.resolve("mine"), "mine");
    Files.writeString(partial.resolve("00000000.jdb"), "half a log");
    try (QueueStore store = openStore()) {
      assertRefused(store, target, Reason.DIRECTORY_UNUSABLE, mine + " is no part of a copy");
      assertThat(mine).hasContent("mine");
      Files.delete(mine);

      store.backup(target);

      openCopy(target).close();
      assertThat(partial).doesNotExist();
    }
  }

  @Test
  void aSecondBackupAtTheSameTimeIsRefused() {
    List<Throwable> refusals = new ArrayList<>();
    Path other = elsewhere.resolve("other");
    try (QueueStore store = openStore()) {
      Progress copying =
          new Progress() {
            @Override
            public void bytes(long done, long total) {
              refusals.add(catchThrowable(() -> store.backup(other)));
            }
          };
      store.backup(elsewhere.resolve("first"), copying);
      assertThat(refusals)
          .isNotEmpty()
          .allSatisfy(refusal -> assertThat(refusal).isInstanceOf(IllegalStateException.class));
      assertThat(other).doesNotExist();
      assertThat(store.backup(other)).as("when the first has ended").isPositive();
    }
  }

  @Test
  void aClosedStoreIsNotCopied() {
    QueueStore store = openStore();
    store.close();
    assertRefused(store, elsewhere.resolve("late"), Reason.CLOSED, "is closed");
  }

  private static void assertRefused(QueueStore store, Path target, Reason reason, String part) {
    assertThatThrownBy(() -> store.backup(target))
        .isInstanceOfSatisfying(QueueException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(part)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aRestoreRefusesADirectoryWithoutALogAndOneWhoseRepairWasInterrupted() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 10, 100));
      store.backup(elsewhere.resolve("backup"));
    }
    Path backup = elsewhere.resolve("backup");
    Path target = elsewhere.resolve("target");
    Path unfinished = Files.createDirectories(backup.resolve("salvage")).resolve("complete");
    Files.createFile(unfinished);
    assertThatThrownBy(() -> QueueMaintenance.restore(backup, target, Progress.NONE))
        .isInstanceOf(QueueException.class)
        .hasMessageContaining("the repair of directory " + backup + " was interrupted");
    Files.delete(unfinished);
    for (Path log : LogDamage.logs(backup)) {
      Files.delete(log);
    }
    assertThatThrownBy(() -> QueueMaintenance.restore(backup, target, Progress.NONE))
        .isInstanceOf(QueueException.class)
        .hasMessageContaining("the log files (*.jdb) in " + backup + " are gone");
    Files.delete(backup.resolve("weir.end"));
    assertThatThrownBy(() -> QueueMaintenance.restore(backup, target, Progress.NONE))
        .isInstanceOf(QueueException.class)
        .hasMessageContaining("directory " + backup + " holds no store: it has no log file");
    assertThat(target).doesNotExist();
  }
}
