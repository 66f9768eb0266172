package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.segment.SegmentDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Directories of every format that was ever written are read. Each fixture was made by {@link
 * FormatFixture} of its time, and is never made anew.
 */
class FormatTest extends QueueTestBase {
  private Path copy;

  @BeforeEach
  void nameTheCopy() {
    copy = directory.resolve("copy");
  }

  private void copyFixture(int format) throws IOException {
    Files.createDirectory(copy);
    Path fixture = Path.of("src/test/resources/format-" + format);
    try (Stream<Path> files = Files.list(fixture)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
  }

  private QueueStore open() {
    return QueueStore.open(FormatFixture.options(copy));
  }

  private DurableQueue<String> queue(QueueStore store, String name) {
    return openQueue(store, name, new QueueOptions(), NO_LOSSES);
  }

  /** What is delivered, each with its delivery count in front. */
  private static List<String> drain(DurableQueue<String> queue) {
    List<String> found = new ArrayList<>();
    QueueReader<String> reader = new QueueReader<>(queue);
    while (queue.waiting() > 0) {
      Delivery<String> delivery = reader.next();
      found.add(delivery.deliveryCount() + " " + delivery.message());
      queue.acknowledge(delivery);
    }
    assertThat(queue.stats().lost()).isZero();
    assertThat(queue.stats().corruptPackets()).isZero();
    return found;
  }

  private static List<String> orders() {
    List<String> orders = new ArrayList<>();
    orders.add("3 " + FormatFixture.order(0));
    for (int number : new int[] {1, 3, 4}) {
      orders.add("2 " + FormatFixture.order(number));
    }
    for (int number = 7; number <= 13; number++) {
      orders.add("1 " + FormatFixture.order(number));
    }
    return orders;
  }

  private static List<String> events() {
    return List.of("2 " + FormatFixture.event(0), "1 " + FormatFixture.event(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aDirectoryOfEveryFormatIsRead(int format) throws IOException {
    copyFixture(format);
    try (QueueStore store = open();
        DurableQueue<String> orders = queue(store, "orders");
        DurableQueue<String> events = queue(store, "events")) {
      assertThat(orders.stats().recovered()).isEqualTo(12);
      assertThat(orders.stats().recoveredTransient()).isEqualTo(1);
      assertThat(drain(orders)).isEqualTo(orders());
      assertThat(drain(events)).isEqualTo(events());
    }
    try (QueueStore store = open();
        DurableQueue<String> orders = queue(store, "orders");
        DurableQueue<String> events = queue(store, "events")) {
      assertThat(orders.waiting()).isZero();
      assertThat(events.waiting()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aDirectoryOfEveryFormatIsWrittenOn(int format) throws IOException {
    copyFixture(format);
    try (QueueStore store = open();
        DurableQueue<String> orders = queue(store, "orders")) {
      appendAll(orders, List.of(FormatFixture.order(14)));
    }
    // What an older version cannot read it must refuse.
    assertThat(Files.readString(copy.resolve(StoreDirectory.FORMAT_FILE)).trim())
        .isEqualTo(Integer.toString(StoreDirectory.FORMAT_WITHOUT_SEGMENTS));
    try (QueueStore store = open();
        DurableQueue<String> orders = queue(store, "orders")) {
      List<String> all = new ArrayList<>(orders());
      all.add("1 " + FormatFixture.order(14));
      assertThat(drain(orders)).isEqualTo(all);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aDirectoryOfEveryFormatGetsSegmentsBesideItsLog(int format) throws IOException {
    copyFixture(format);
    String large = "large ".repeat(10_000);
    try (QueueStore store = open();
        DurableQueue<String> orders = queue(store, "orders")) {
      appendAll(orders, List.of(large));
      assertThat(SegmentDirectory.of(copy)).hasSize(1);
    }
    assertThat(Files.readString(copy.resolve(StoreDirectory.FORMAT_FILE)).trim())
        .isEqualTo(Integer.toString(StoreDirectory.FORMAT_VERSION));
    try (QueueStore store = open();
        DurableQueue<String> orders = queue(store, "orders")) {
      List<String> all = new ArrayList<>(orders());
      all.add("1 " + large);
      assertThat(drain(orders)).isEqualTo(all);
    }
    assertThat(SegmentDirectory.of(copy)).isEmpty();
  }

  @Test
  void whatTheFixtureIsMadeOfIsReadBackInThePresentFormat() {
    FormatFixture.main(new String[] {copy.toString()});
    try (QueueStore store = open();
        DurableQueue<String> orders = queue(store, "orders");
        DurableQueue<String> events = queue(store, "events")) {
      assertThat(drain(orders)).isEqualTo(orders());
      assertThat(drain(events)).isEqualTo(events());
    }
  }

  @Test
  void aDirectoryOfANewerFormatIsRefusedInOneLineAndNotTouched() throws IOException {
    copyFixture(1);
    int newer = StoreDirectory.FORMAT_VERSION + 1;
    Files.writeString(copy.resolve(StoreDirectory.FORMAT_FILE), newer + "\n");
    Path log = copy.resolve("00000000.jdb");
    byte[] before = Files.readAllBytes(log);

    QueueException refusal = catchThrowableOfType(QueueException.class, this::open);

    assertThat(refusal.reason()).isEqualTo(Reason.NEWER_FORMAT);
    assertThat(refusal)
        .hasMessage(
            "directory %s has format %s, this version reads up to %s",
            copy, newer, StoreDirectory.FORMAT_VERSION);
    assertThat(Files.readAllBytes(log)).isEqualTo(before);
  }
}
