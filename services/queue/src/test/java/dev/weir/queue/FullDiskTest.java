package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import dev.weir.testing.SmallDisk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a file system of 48 MiB that is really full; needs the right to mount one. */
class FullDiskTest extends QueueTestBase {
  private static final int MESSAGE = 4000;

  /** So much is left free where others have taken most of minFreeBytes. */
  private static final int LITTLE = 2 << 20;

  private Path disk;
  private SmallDisk smallDisk;

  @BeforeEach
  void mount() throws Exception {
    disk = directory.resolve("disk");
    smallDisk = SmallDisk.mount(disk, 48);
  }

  @AfterEach
  void unmount() throws Exception {
    if (smallDisk != null) {
      smallDisk.unmount();
    }
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions()
        .setDirectory(disk.resolve("data"))
        .setMinFreeBytes(8 << 20)
        .setPacketBytes(16 << 10);
  }

  /** The numbers of intact messages; a failed comparison of the texts would fill the screen. */
  private static List<Integer> numbers(List<String> texts) {
    return texts.stream()
        .map(
            text -> {
              int number = Integer.parseInt(text.substring(0, text.indexOf(':')));
              assertThat(text.equals(text(number, MESSAGE))).as("%s is intact", number).isTrue();
              return number;
            })
        .toList();
  }

  /** Appends until some are refused because of the disk; returns those that were accepted. */
  private static List<String> fill(DurableQueue<String> queue, int from) {
    List<String> accepted = new ArrayList<>();
    boolean refused = false;
    for (int next = from; !refused; next += 100) {
      List<String> texts = texts(next, next + 100, MESSAGE);
      List<Outcome> outcomes = append(queue, texts);
      for (int i = 0; i < texts.size(); i++) {
        if (outcomes.get(i).await().isAccepted()) {
          accepted.add(texts.get(i));
        } else {
          refused = true;
          assertThat(outcomes.get(i).refusal()).isEqualTo(Reason.DISK_FULL);
          assertThat(outcomes.get(i).failure())
              .hasMessage("the disk of queue q is full: minFreeBytes is 8388608");
        }
      }
      assertThat(accepted).hasSizeLessThan((48 << 20) / MESSAGE);
    }
    return accepted;
  }

  @Tag("slow")
  @Test
  void appendsFailByNameWhileDeletesMakeRoomAndGoOnWithoutReopening() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      int first = 0;
      int from = 0;
      for (int round = 0; round == 0 || from < 4 * first; round++) {
        assertThat(round).as("rounds to fill the disk four times").isLessThan(200);
        List<String> accepted = fill(queue, from);
        assertThat(queue.stats().rejected()).isPositive();
        from += accepted.size();
        first = round == 0 ? from : first;
        assertThat(first).isGreaterThan(1000);

        assertThat(numbers(reader.drain(accepted.size()))).isEqualTo(numbers(accepted));
        Await.until("space is given back", () -> store.fault() == null);
        assertThat(queue.waiting()).isZero();
      }
      assertThat(queue.stats().bytes()).isZero();
      assertThat(queue.stats().lost()).isZero();
    }
  }

  @Test
  void drainingMakesRoomAlsoWithLogFilesLargerThanTheDisk() {
    QueueStoreOptions large = storeOptions().setLogFileBytes(64 << 20);
    try (QueueStore store = QueueStore.open(large);
        DurableQueue<String> queue = openQueue(store)) {
      List<String> accepted = fill(queue, 0);
      assertThat(numbers(new QueueReader<>(queue).drain(accepted.size())))
          .isEqualTo(numbers(accepted));
      Await.until("space is given back", () -> store.fault() == null);
    }
  }

  @Tag("slow")
  @Test
  void drainingMakesRoomThoughOthersHaveTakenMostOfTheReserve() throws Exception {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<String> accepted = fill(queue, 0);
      smallDisk.fillUp(LITTLE);
      assertThat(numbers(new QueueReader<>(queue).drain(accepted.size())))
          .isEqualTo(numbers(accepted));
      Await.until("space is given back", () -> store.fault() == null);
    }
  }

  @Tag("slow")
  @Test
  void drainingMakesRoomThoughTheStoreIsOpenedWithLittleOfTheReserve() throws Exception {
    List<String> accepted;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      accepted = fill(queue, 0);
    }
    smallDisk.fillUp(LITTLE);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(numbers(new QueueReader<>(queue).drain(accepted.size())))
          .isEqualTo(numbers(accepted));
      Await.until("space is given back", () -> store.fault() == null);
    }
  }

  /**
   * A file that is half empty is copied to be cleaned, and for copies there was no space before.
   */
  @Tag("slow")
  @Test
  void spaceIsGivenBackOnceThereIsRoomForCopiesThoughNothingMoreIsDeleted() throws Exception {
    QueueStoreOptions inTheLog = storeOptions().setSegmentThresholdBytes(0);
    try (QueueStore store = QueueStore.open(inTheLog);
        DurableQueue<String> queue = openQueue(store)) {
      List<String> accepted = fill(queue, 0);
      Path foreign = smallDisk.fillUp(3 << 20);
      List<Delivery<String>> kept = new ArrayList<>();
      List<Delivery<String>> all = new QueueReader<>(queue).next(accepted.size());
      for (int i = 0; i < all.size(); i++) {
        // So that a fifth of each file stays in use.
        if (i % 100 < 20) {
          kept.add(all.get(i));
        } else {
          queue.acknowledge(all.get(i));
        }
      }
      KilledStore.awaitWritten(queue);
      long startNs = System.nanoTime();
      Await.until(
          "the store has looked for space more than once",
          () -> System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(1));
      assertThat(store.fault()).isEqualTo(Reason.DISK_FULL);

      // Still less than must stay free.
      try (FileChannel file = FileChannel.open(foreign, StandardOpenOption.WRITE)) {
        file.truncate(file.size() - (3 << 20));
      }

      Await.until("space is given back", () -> store.fault() == null);
      assertThat(append(queue, "one more").await().isAccepted()).isTrue();
      kept.forEach(queue::acknowledge);
    }
  }

  @Test
  void aStoreThatIsOpenedOnAFullDiskCleansItsLogOnceThereIsRoom() throws Exception {
    Path foreign = smallDisk.fillUp(LITTLE);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(store.engine().files().isShortOfRoom()).isTrue();
      Files.delete(foreign);
      append(queue, "there is room").await();
      assertThat(store.engine().files().isShortOfRoom()).isFalse();
    }
  }

  @Tag("slow")
  @Test
  void theToolGivesTheSpaceOfAFullDiskBack() throws Exception {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      fill(queue, 0);
    }
    smallDisk.fillUp(LITTLE);
    Path data = storeOptions().getDirectory();
    ToolRun.of("purge", data, "--queue", "q", "--yes").ok();
    ToolRun.of("compact", data).ok();
    assertThat(sizeOf(data)).as("bytes of the directory").isLessThan(4 << 20);
  }

  @Test
  void compactOfAFullDiskSaysWhatItCouldNotDo() throws Exception {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      fill(queue, 0);
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < 400; i++) {
        Delivery<String> next = reader.next();
        if (i % 2 == 0) {
          queue.acknowledge(next);
        }
      }
      KilledStore.awaitWritten(queue);
    }
    Path data = storeOptions().getDirectory();
    for (int left : new int[] {300_000, 0}) {
      Path foreign = smallDisk.fillUp(left);
      assertThat(ToolRun.of("compact", data).refused(3))
          .startsWith("weir-queue: the store in " + data)
          .endsWith(": the disk is full: free some space and try again");
      Files.delete(foreign);
    }
    assertThat(ToolRun.of("compact", data).ok().out())
        .matches("log bytes before \\d+, after \\d+(; nothing to give back)?\n");
  }

  @Test
  void aFullDiskCanBeClosedAndOpenedAndStillHasEverything() {
    List<String> accepted;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      accepted = fill(queue, 0);
      new QueueReader<>(queue).drain(10);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(numbers(new QueueReader<>(queue).drain(accepted.size() - 10)))
          .isEqualTo(numbers(accepted.subList(10, accepted.size())));
      append(queue, "no hang").await();
    }
  }

  @Test
  void messagesThatFailOnAFullDiskAreTriedAgainWhenThereIsRoom() {
    QueueOptions options = new QueueOptions().setRetry(RetryOptions.fixed(3, 1));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      List<String> accepted = fill(queue, 0);
      List<Delivery<String>> failed = reader.next(300);
      failed.forEach(delivery -> queue.fail(delivery, "not now"));
      List<Integer> done = new ArrayList<>();
      int again = 0;
      while (done.size() < accepted.size()) {
        Delivery<String> delivery = reader.next();
        again += delivery.failures();
        done.addAll(numbers(List.of(delivery.message())));
        queue.acknowledge(delivery);
      }
      assertThat(again).as("messages that had failed once").isEqualTo(300);
      done.sort(null);
      assertThat(done).isEqualTo(numbers(accepted));
      Await.until("space is given back", () -> store.fault() == null);
      assertThat(queue.deadLetters().count()).isZero();
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void writesThatReallyFailAreNamedAndTheStoreGoesOnWhenSpaceReturns() throws Exception {
    for (int round = 0; round < 3; round++) {
      List<String> sent = new ArrayList<>();
      List<Outcome> outcomes = new ArrayList<>();
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        assertThat(queue.waiting()).isZero();
        ConcurrentLinkedQueue<Path> foreign = new ConcurrentLinkedQueue<>();
        Thread filler =
            new Thread(
                () -> {
                  try {
                    foreign.add(smallDisk.fillUp());
                  } catch (IOException e) {
                    foreign.add(disk);
                  }
                });
        filler.start();
        do {
          sent.add(text(sent.size(), MESSAGE));
          outcomes.add(append(queue, sent.get(sent.size() - 1)));
          assertThat(sent).hasSizeLessThan(200_000);
        } while (foreign.isEmpty() || outcomes.get(outcomes.size() - 1).await().isAccepted());
        filler.join();
        for (int i = 0; i < 50; i++) {
          sent.add(text(sent.size(), MESSAGE));
          outcomes.add(append(queue, sent.get(sent.size() - 1)));
        }
        assertThat(outcomes)
            .allMatch(outcome -> outcome.await().timesTold() == 1)
            .allMatch(
                outcome ->
                    outcome.isAccepted()
                        || outcome.refusal() == Reason.DISK_FULL
                        || outcome.refusal() == Reason.STORE_FAILED
                        || outcome.refusal() == Reason.BUFFER_FULL);

        Files.delete(foreign.remove());
        String after = text(sent.size(), MESSAGE);
        Await.until("the store goes on", () -> append(queue, after).await().isAccepted());
        List<String> accepted = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
          if (outcomes.get(i).isAccepted()) {
            accepted.add(sent.get(i));
          }
        }
        accepted.add(after);
        List<Integer> got = numbers(new QueueReader<>(queue).drainAll());
        List<Integer> missing = new ArrayList<>(numbers(accepted));
        missing.removeAll(got);
        assertThat(missing).as("accepted and not delivered").isEmpty();
        List<Integer> more = new ArrayList<>(got);
        more.removeAll(numbers(accepted));
        assertThat(more).as("delivered and not accepted").isEmpty();
        assertThat(got).isSorted().doesNotHaveDuplicates();
        assertThat(queue.stats().lost()).isZero();
      }
    }
  }

  @Test
  void blockedAppendsCompleteWhenSpaceReturns() throws Exception {
    QueueOptions block = new QueueOptions().setPolicy(OverflowPolicy.BLOCK);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, block)) {
      appendAll(queue, texts(0, 100, MESSAGE));
      Path foreign = smallDisk.fillUp();
      List<Outcome> blocked = append(queue, texts(100, 400, MESSAGE));
      Await.until("the disk is found full", () -> store.fault() != null);
      blocked = new ArrayList<>(blocked);
      blocked.addAll(append(queue, texts(400, 500, MESSAGE)));
      assertThat(blocked).noneMatch(Outcome::isTold);

      Files.delete(foreign);

      assertThat(blocked).allMatch(outcome -> outcome.await().isAccepted());
      assertThat(numbers(new QueueReader<>(queue).drain(500)))
          .isEqualTo(numbers(texts(0, 500, MESSAGE)));
    }
  }

  @Test
  void offersAreServedFromMemoryWhileTheDiskIsFull() throws Exception {
    for (OverflowPolicy policy : new OverflowPolicy[] {OverflowPolicy.FAIL, OverflowPolicy.BLOCK}) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, new QueueOptions().setPolicy(policy))) {
        QueueReader<String> reader = new QueueReader<>(queue);
        Path foreign = smallDisk.fillUp();
        Outcome outcome = append(queue, "durable");
        Await.until("the disk is found full", () -> store.fault() != null);
        if (policy == OverflowPolicy.FAIL) {
          for (String text : texts(0, 100, MESSAGE)) {
            queue.offer(text, null, false);
          }
          assertThat(reader.drain(100)).isEqualTo(texts(0, 100, MESSAGE));
          assertThat(outcome.await().refusal()).isEqualTo(Reason.DISK_FULL);
        }
        Files.delete(foreign);
        Await.until("the store goes on", () -> store.fault() == null);
      }
    }
  }

  @Test
  void closingWithAFullDiskDoesNotHangAndTellsEverySender() throws Exception {
    QueueOptions block = new QueueOptions().setPolicy(OverflowPolicy.BLOCK);
    List<Outcome> outcomes = new ArrayList<>();
    Path foreign;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, block)) {
      appendAll(queue, texts(0, 10, MESSAGE));
      foreign = smallDisk.fillUp();
      outcomes.addAll(append(queue, texts(10, 300, MESSAGE)));
      queue.offer("kept", null, true);
      Await.until("the disk is found full", () -> store.fault() != null);
    }
    assertThat(outcomes).allMatch(outcome -> outcome.timesTold() == 1);
    long accepted = outcomes.stream().filter(Outcome::isAccepted).count();
    Files.delete(foreign);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isGreaterThanOrEqualTo(10 + accepted);
      assertThat(new QueueReader<>(queue).drain(10)).isEqualTo(texts(0, 10, MESSAGE));
    }
  }

  @Test
  void aQueueThatCannotBeOpenedForLackOfSpaceSaysSo() throws Exception {
    try (QueueStore store = openStore()) {
      Path foreign = smallDisk.fillUp();
      QueueException refusal = null;
      for (int i = 0; refusal == null; i++) {
        assertThat(i).as("queues opened on a full disk").isLessThan(1000);
        try {
          openQueue(store, "queue " + i, new QueueOptions(), NO_LOSSES).close();
        } catch (QueueException e) {
          refusal = e;
        }
      }
      assertThat(refusal.reason()).isEqualTo(Reason.DISK_FULL);
      assertThat(refusal.getMessage()).matches("queue queue \\d+ cannot be opened: .*");
      Files.delete(foreign);
      Await.until(
          "it can be opened when space returns",
          () -> {
            try {
              openQueue(store, "another", new QueueOptions(), NO_LOSSES).close();
              return true;
            } catch (QueueException e) {
              return false;
            }
          });
    }
  }
}
