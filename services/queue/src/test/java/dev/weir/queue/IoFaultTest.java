package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.OrdinaryUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A file system that returns errors while the store is open. */
class IoFaultTest extends QueueTestBase {
  private static final int MESSAGE = 4000;
  private static final long CLOSE_MS = 60_000;

  private final List<String> accepted = new ArrayList<>();
  private Path data;
  private Path away;
  private int next;

  @BeforeEach
  void nameThem() {
    data = directory.resolve("data");
    away = directory.resolve("away");
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setDirectory(data).setPacketBytes(16 << 10);
  }

  /** Appends until one is refused, which must be within two log files. */
  private void appendUntilRefused(DurableQueue<String> queue) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.DEADLINE_S);
    while (append(queue)) {
      assertThat(System.nanoTime()).as("time until it fails").isLessThan(deadlineNs);
    }
  }

  private boolean append(DurableQueue<String> queue) {
    String text = text(next++, MESSAGE);
    Outcome outcome = append(queue, text).await();
    if (outcome.isAccepted()) {
      accepted.add(text);
    } else {
      assertThat(outcome.refusal()).isEqualTo(Reason.STORE_FAILED);
    }
    return outcome.isAccepted();
  }

  private void appendSome(DurableQueue<String> queue) {
    for (int i = 0; i < 20; i++) {
      assertThat(append(queue)).isTrue();
    }
  }

  /** It was refused, refuses more without a flood of errors, and goes on as soon as it can. */
  private void goesOnAfter(QueueStore store, DurableQueue<String> queue, Repair repair)
      throws IOException {
    for (int i = 0; i < 100; i++) {
      assertThat(append(queue)).isFalse();
    }
    repair.run();
    Await.until("the store goes on", () -> append(queue));
    assertThat(store.fault()).isNull();
    appendSome(queue);
    List<String> found = new QueueReader<>(queue).drain(accepted.size());
    assertThat(found.equals(accepted)).as("all accepted, in order").isTrue();
    assertThat(queue.waiting()).isZero();
    assertThat(queue.stats().lost()).isZero();
  }

  private interface Repair {
    void run() throws IOException;
  }

  private static void delete(Path path) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(path)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  @Test
  void aRemovedDirectoryFailsAppendsAndTheStoreStillCloses() throws IOException {
    try (ErrorLines errors = new ErrorLines()) {
      QueueStore store = openStore();
      DurableQueue<String> queue = openQueue(store);
      appendSome(queue);
      delete(data);

      // What was taken before the directory was looked at may have gone to the file that is gone.
      append(queue);
      append(queue);
      assertThat(append(queue)).isFalse();
      for (int i = 0; i < 200; i++) {
        assertThat(append(queue)).isFalse();
      }
      Await.until("it is said what is wrong: " + errors.lines(), () -> errors.lines().size() == 2);
      assertThat(errors.lines().get(1))
          .startsWith("nothing is appended: the log files (*.jdb) in " + data + " are gone")
          .contains("put them back");
      queue.offer("from memory", null, true);
      assertThat(store.fault()).isEqualTo(Reason.STORE_FAILED);

      long beginNs = System.nanoTime();
      store.close();
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs)).isLessThan(CLOSE_MS);
      assertThat(errors.lines()).hasSize(2);
    }
  }

  @Test
  void aDirectoryThatGoesAwayAndComesBackCostsNothingThatWasAccepted() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendSome(queue);
      Files.move(data, away);
      append(queue);
      appendUntilRefused(queue);
      goesOnAfter(store, queue, () -> Files.move(away, data));
    }
  }

  @Test
  void aDirectoryThatBecomesAFileAndADirectoryAgainCostsNothingThatWasAccepted()
      throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendSome(queue);
      Files.move(data, away);
      Files.createFile(data);
      // The open log file is still there; the next one cannot be made.
      appendUntilRefused(queue);
      goesOnAfter(
          store,
          queue,
          () -> {
            Files.delete(data);
            Files.move(away, data);
          });
    }
  }

  @Test
  void aLogFileThatCannotBeMadeIsMadeWhenItCan() throws IOException {
    try (ErrorLines errors = new ErrorLines();
        QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      Path obstacle = Files.createDirectory(data.resolve("00000001.jdb"));
      appendUntilRefused(queue);
      Await.until(
          "it is said what is in the way: " + errors.lines(), () -> errors.lines().size() == 2);
      assertThat(errors.lines().get(1)).endsWith(obstacle + ": Is a directory");
      goesOnAfter(store, queue, () -> Files.delete(obstacle));
      assertThat(errors.lines()).hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  void aLogThatCannotBeReadToRepairItIsReadWhenItCan() throws IOException {
    try (ErrorLines errors = new ErrorLines();
        QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      Path loop = data.resolve("00000001.jdb");
      Files.createSymbolicLink(loop, loop);
      appendUntilRefused(queue);
      Await.until("it is said: " + errors.lines(), () -> errors.lines().size() == 2);
      assertThat(errors.lines().get(1)).contains("cannot be copied");
      goesOnAfter(store, queue, () -> Files.delete(loop));
    }
  }

  @Tag("slow")
  @Test
  void aDirectoryWithoutRightsIsUsedAgainWhenTheyAreBack() throws IOException {
    OrdinaryUser user = OrdinaryUser.in(directory);
    Files.createDirectory(data);
    user.own(data);
    try (ChildJvm child = user.child(WithoutRights.class).start(directory.toString())) {
      assertThat(child.exitCode())
          .as("exit code of the child, which says: " + child.lines())
          .isZero();
    }
  }

  /** A child to whom the data directory belongs, and for whom its rights count. */
  static final class WithoutRights {
    private WithoutRights() {}

    public static void main(String[] args) throws IOException {
      IoFaultTest test = new IoFaultTest();
      test.directory = Path.of(args[0]);
      test.nameThem();
      test.useDataWithoutRights();
    }
  }

  private void useDataWithoutRights() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendSome(queue);
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("r-x------"));
      assertThat(Files.isWritable(data)).as("rights count").isFalse();
      appendUntilRefused(queue);
      goesOnAfter(
          store,
          queue,
          () -> Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------")));
    }
  }

  @Test
  void aBacklogThatCannotBeReadForAWhileComesInOrder() throws IOException {
    QueueOptions written = new QueueOptions().setWriteThrough(true).setReadAheadBytes(16 << 10);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, written)) {
      for (int i = 0; i < 50; i++) {
        appendSome(queue);
      }
      Files.move(data, away);
      QueueReader<String> reader = new QueueReader<>(queue);
      List<String> found = new ArrayList<>();
      Await.until(
          "nothing can be read, or everything is",
          () -> {
            Delivery<String> delivery = queue.poll();
            if (delivery != null) {
              found.add(delivery.message());
              queue.acknowledge(delivery);
            }
            return store.fault() != null || queue.waiting() == 0;
          });
      Files.move(away, data);
      while (found.size() < accepted.size()) {
        found.addAll(reader.drain(1));
      }
      assertThat(found.equals(accepted)).as("all accepted, in order").isTrue();
      Await.until("the store goes on", () -> append(queue));
      assertThat(queue.stats().lost()).isZero();
    }
  }
}
