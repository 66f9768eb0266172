package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is wrong is said in one line that names the option, the value and what is allowed. */
@SuppressWarnings("try") // A store is held open for what it keeps others from.
public class BadOptionsTest extends QueueTestBase {

  @Test
  void storeOptionsOutOfRangeAreNamed() {
    QueueStoreOptions options = storeOptions();
    refused(() -> options.setCacheBytes(1), "cacheBytes is 1, allowed is 4194304 to 68719476736");
    refused(
        () -> options.setLogFileBytes(1L << 31),
        "logFileBytes is 2147483648, allowed is 1048576 to 1073741824");
    refused(
        () -> options.setMinFreeBytes(0), "minFreeBytes is 0, allowed is 1048576 to 1099511627776");
    refused(() -> options.setPacketBytes(-1), "packetBytes is -1, allowed is 1024 to 16777216");
    refused(() -> options.setBatchBytes(1), "batchBytes is 1, allowed is 1024 to 268435456");
    refused(() -> options.setAckFlushMs(0), "ackFlushMs is 0, allowed is 1 to 60000");
    refused(() -> options.setDirectory(null), "directory must not be null");
    refused(() -> new QueueStoreOptions((Path) null), "directory must not be null");
  }

  @Test
  void queueOptionsOutOfRangeAreNamed() {
    QueueOptions options = new QueueOptions();
    refused(() -> options.setMaxBytes(0), "maxBytes is 0, allowed is 1 to 9223372036854775807");
    refused(
        () -> options.setWriteBufferBytes(1023),
        "writeBufferBytes is 1023, allowed is 1024 to 9223372036854775807");
    refused(
        () -> options.setReadAheadBytes(-1),
        "readAheadBytes is -1, allowed is 0 to 9223372036854775807");
    refused(
        () -> options.setMaxMessageBytes(1 << 30),
        "maxMessageBytes is 1073741824, allowed is 1 to 536870912");
    refused(() -> options.setMaxBlocked(-1), "maxBlocked is -1, allowed is 0 to 10000000");
    refused(() -> options.setPolicy(null), "policy must not be null");
  }

  @Test
  void queueOptionsThatContradictEachOtherAreNamed() {
    refused(
        () -> new QueueOptions().setRetry(new RetryOptions().setMaxAttempts(101)),
        "maxDeliveries is 100, allowed is maxAttempts (101) to 127");
    refused(
        () -> new QueueOptions().setRetry(new RetryOptions().setBackoffMs(60_001)),
        "backoffMs is 60001, allowed is 0 to maxBackoffMs (60000)");
    try (QueueStore store = openStore()) {
      refused(
          () -> openQueue(store, new QueueOptions(Map.of("retry", Map.of("backoffMs", 60_001L)))),
          "backoffMs is 60001, allowed is 0 to maxBackoffMs (60000)");
      refused(
          () ->
              openQueue(store, new QueueOptions().setPolicy(OverflowPolicy.BLOCK).setMaxBlocked(0)),
          "maxBlocked is 0, allowed is 1 to 10000000 with the policy BLOCK");
      refused(
          () ->
              openQueue(
                  store,
                  new QueueOptions()
                      .setDeadLetterExpired(true)
                      .setDeadLetters(new DeadLetterOptions().setMaxCount(0))),
          "deadLetterExpired is true, allowed is false with deadLetters that keep none:"
              + " maxCount is 0, maxBytes is 1073741824");
    }
  }

  @Test
  void copiedOptionsDoNotChangeWithTheOriginal() {
    QueueOptions options =
        new QueueOptions()
            .setMaxBytes(1)
            .setWriteBufferBytes(2000)
            .setReadAheadBytes(3)
            .setMaxMessageBytes(4)
            .setMaxBlocked(5)
            .setPolicy(OverflowPolicy.BLOCK)
            .setWriteThrough(true);
    assertThat(new QueueOptions(options)).usingRecursiveComparison().isEqualTo(options);
    QueueStoreOptions store =
        storeOptions().setCacheBytes(5 << 20).setAckFlushMs(7).setBatchBytes(2048);
    QueueStoreOptions copy = new QueueStoreOptions(store);
    assertThat(copy).usingRecursiveComparison().isEqualTo(store);
    store.setAckFlushMs(8);
    assertThat(copy.getAckFlushMs()).isEqualTo(7);
  }

  @Test
  void theSmallestOptionsWork() {
    QueueStoreOptions least =
        storeOptions().setCacheBytes(4 << 20).setPacketBytes(1024).setBatchBytes(1024);
    QueueOptions small =
        new QueueOptions().setReadAheadBytes(0).setWriteBufferBytes(1024).setMaxBlocked(10_000);
    try (QueueStore store = QueueStore.open(least.setAckFlushMs(1));
        DurableQueue<String> queue =
            openQueue(store, small.setPolicy(OverflowPolicy.BLOCK).setMaxBytes(2000))) {
      append(queue, texts(0, 500, 100));
      assertThat(new QueueReader<>(queue).drain(500)).isEqualTo(texts(0, 500, 100));
    }
  }

  @Test
  void badArgumentsOfAQueueAreNamed() {
    try (QueueStore store = openStore()) {
      QueueOptions options = new QueueOptions();
      refused(
          () -> store.queue(" ", Serde.BYTES, options, NO_LOSSES),
          "name is blank, allowed is any other text");
      refused(
          () -> store.queue("a\uD800", Serde.BYTES, options, NO_LOSSES),
          "name has half of a surrogate pair at 1, which UTF-8 cannot encode");
      refused(() -> store.queue(null, Serde.BYTES, options, NO_LOSSES), "name must not be null");
      refused(() -> store.queue("q", null, options, NO_LOSSES), "serde must not be null");
      refused(() -> store.queue("q", Serde.BYTES, null, NO_LOSSES), "options must not be null");
      refused(() -> store.queue("q", Serde.BYTES, options, null), "losses must not be null");
    }
  }

  @Test
  void textsThatWouldBeOthersOnDiskAreRefused() {
    MessageOptions none = MessageOptions.NONE;
    refused(
        () -> none.withId("\uDC00"),
        "id has half of a surrogate pair at 0, which UTF-8 cannot encode");
    refused(
        () -> none.withKey("k\uD800k"),
        "key has half of a surrogate pair at 1, which UTF-8 cannot encode");
    refused(
        () -> none.withFingerprint("\uD800\uD800\uDC00"),
        "fingerprint has half of a surrogate pair at 0, which UTF-8 cannot encode");
    assertThat(none.withId("a\uD83D\uDE00b").id()).isEqualTo("a\uD83D\uDE00b");
  }

  @Test
  void aQueueMayHaveAnyOtherName() {
    try (QueueStore store = openStore()) {
      for (String name :
          new String[] {"a/b", "ä ö\n", "\uD83D\uDE00", "queue.x", "x".repeat(500)}) {
        try (DurableQueue<String> queue = openQueue(store, name, new QueueOptions(), NO_LOSSES)) {
          appendAll(queue, texts(0, 2, 10));
        }
        try (DurableQueue<String> queue = openQueue(store, name, new QueueOptions(), NO_LOSSES)) {
          assertThat(queue.waiting()).isEqualTo(2);
        }
      }
    }
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  // ---- directories

  @Test
  void anUnusableDirectoryIsOneClearLine() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    cannotOpen(file.resolve("data"), Reason.DIRECTORY_UNUSABLE, "cannot be used: ");
    cannotOpen(file, Reason.DIRECTORY_UNUSABLE, "cannot be used: ");
    cannotOpen(Path.of("/proc/x/data"), Reason.DIRECTORY_UNUSABLE, "cannot be used: ");
  }

  @Test
  void aDirectoryInUseByThisProcessIsOneClearLineAndStaysLocked() throws Exception {
    try (QueueStore store = openStore()) {
      cannotOpen(directory, Reason.DIRECTORY_IN_USE, "in use by this process");
      cannotOpen(
          directory.resolve("../" + directory.getFileName()),
          Reason.DIRECTORY_IN_USE,
          "in use by this process");
      // Closing a second descriptor must not have given up the lock of the first.
      assertThat(ChildJvm.start(HoldStore.class, directory.toString()).firstLine())
          .startsWith(
              "DIRECTORY_IN_USE directory "
                  + directory
                  + " is in use by process "
                  + ProcessHandle.current().pid()
                  + " on host ");
    }
  }

  @Test
  void aDirectoryInUseByAnotherProcessIsOneClearLine() throws Exception {
    try (ChildJvm child = ChildJvm.start(HoldStore.class, directory.toString())) {
      assertThat(child.firstLine()).isEqualTo("open");
      cannotOpen(
          directory, Reason.DIRECTORY_IN_USE, "in use by process " + child.pid() + " on host ");
      cannotOpen(directory, Reason.DIRECTORY_IN_USE, " since 20");
      child.kill();
    }
    openStore().close();
  }

  @Test
  void aLockThatDoesNotSayWhoHoldsItIsHeldByAnotherProcess() throws Exception {
    try (ChildJvm child = ChildJvm.start(HoldStore.class, directory.toString())) {
      assertThat(child.firstLine()).isEqualTo("open");
      Files.writeString(directory.resolve("weir.lock"), "");
      cannotOpen(directory, Reason.DIRECTORY_IN_USE, "in use by another process");
      child.kill();
    }
  }

  /** Holds a store open until it is killed. */
  static final class HoldStore {
    private HoldStore() {}

    public static void main(String[] args) throws InterruptedException {
      QuietLog.set();
      try {
        QueueStore store = QueueStore.open(new QueueStoreOptions(Path.of(args[0])));
        System.out.println("open");
        TimeUnit.MINUTES.sleep(1);
        store.close();
      } catch (QueueException e) {
        System.out.println(e.reason() + " " + e.getMessage());
      }
    }
  }

  @Test
  void aDirectoryOfANewerFormatIsOneClearLineAndIsNotTouched() throws IOException {
    openStore().close();
    Path format = directory.resolve(StoreDirectory.FORMAT_FILE);
    assertThat(format).hasContent("2");
    Files.writeString(format, "4\n");
    cannotOpen(directory, Reason.NEWER_FORMAT, "has format 4, this version reads up to 3");
    Files.writeString(format, "soon\n");
    cannotOpen(directory, Reason.DIRECTORY_UNUSABLE, "weir.format holds 'soon', not a number");
    Files.writeString(format, "-1\n");
    cannotOpen(directory, Reason.DIRECTORY_UNUSABLE, "weir.format holds -1, allowed is 1 to 3");
    Files.writeString(format, "1\n");
    openStore().close();
  }

  @Test
  void aStoreThatJeCannotOpenIsOneClearLine() throws IOException {
    Files.writeString(directory.resolve(StoreDirectory.FORMAT_FILE), "2\n");
    Path log = Files.createDirectory(directory.resolve("00000000.jdb"));
    cannotOpen(directory, Reason.STORE_FAILED, log + ": Is a directory");
    Files.delete(log);
    openStore().close();
  }

  private void cannotOpen(Path path, Reason reason, String part) {
    QueueException refusal =
        catchThrowableOfType(
            QueueException.class, () -> QueueStore.open(storeOptions().setDirectory(path)));
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal.getMessage())
        .contains(part)
        .contains(path.toString())
        .doesNotContain("\n")
        .hasSizeLessThan(400);
  }
}
