package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogEntry;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogScan;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damage of every kind is found, placed, and its loss is told; {@link DamagedSegmentTest} has that
 * of segments.
 */
class QueueVerifierTest extends DataDirectoryTestBase {
  private static final int FOUND = 1;
  private static final int MESSAGES = 3000;
  private static final int FLIPS = 100;

  private final Random random = new Random(20261121);

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(2048).setSegmentThresholdBytes(0);
  }

  /** Three log files or more, with records that are gone among those that wait. */
  private void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store);
        DurableQueue<String> other = openQueue(store, "other", new QueueOptions(), NO_LOSSES)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < MESSAGES; i += 100) {
        appendAll(queue, texts(i, i + 100, 1000));
        appendAll(other, texts(i, i + 3, 100));
        reader.drain(30);
      }
    }
  }

  private List<Path> logFiles() throws IOException {
    return LogFiles.of(data());
  }

  private static void flip(Path file, long bit) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
    Files.write(file, bytes);
  }

  private VerifyReport intact() {
    VerifyReport report = QueueVerifier.verify(data());
    assertThat(report.faults()).isEmpty();
    assertThat(report.lost()).isEmpty();
    assertThat(report.ok()).as(report.toString()).isTrue();
    return report;
  }

  @Test
  void whatIsIntactIsSaidToBe() throws IOException {
    fill();
    VerifyReport report = intact();
    assertThat(report.logFiles()).isEqualTo(logFiles().size()).isGreaterThan(2);
    assertThat(report.queues()).extracting(QueueCheck::queue).containsExactly("other", "q");
    assertThat(report.queues().get(1).messages()).isEqualTo(MESSAGES * 7 / 10);
    assertThat(report.readableMessages()).isEqualTo(MESSAGES * 7 / 10 + MESSAGES * 3 / 100);
    assertThat(report.lostMessages()).isZero();
    assertThat(ToolRun.of("verify", data()).ok().out()).endsWith("\nintact\n");
    assertThat(ToolRun.of("verify", data(), "--json").ok().out())
        .startsWith("{\"ok\":true,\"logFiles\":");
  }

  @Tag("slow")
  @Test
  void everyFlippedBitOfTheLogIsFoundInItsPlace() throws IOException {
    fill();
    long readable = intact().readableMessages();
    List<Path> files = logFiles();
    for (int i = 0; i < FLIPS; i++) {
      Path file = files.get(random.nextInt(files.size()));
      long bit = random.nextLong(Files.size(file) * 8);
      flip(file, bit);
      String place = "bit " + bit % 8 + " of byte " + bit / 8 + " of " + file.getFileName();

      VerifyReport report = QueueVerifier.verify(data());

      assertThat(report.ok()).as(place).isFalse();
      assertThat(report.faults()).as(place).hasSize(1);
      LogFault fault = report.faults().get(0);
      assertThat(fault.file()).as(place).isEqualTo(file.getFileName().toString());
      assertThat(bit / 8).as(place).isBetween(fault.offset(), fault.offset() + fault.bytes() - 1);
      if (report.openFailure() == null) {
        assertThat(report.readableMessages() + report.lostMessages())
            .as(place + ": " + report)
            .isGreaterThanOrEqualTo(readable);
      }
      flip(file, bit);
    }
    assertThat(intact().readableMessages()).isEqualTo(readable);
  }

  @Tag("slow")
  @Test
  void manyFlippedBitsOfASmallLogAreFound() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 3, 30));
    }
    Path file = logFiles().get(0);
    byte[] log = Files.readAllBytes(file);
    assertThat(LogScan.of(data(), LogScan.Visitor.NONE).faults()).isEmpty();
    for (int i = 0; i < 20 * FLIPS; i++) {
      int bit = random.nextInt(log.length * 8);
      byte[] flipped = log.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, flipped);
      List<LogFault> faults = LogScan.of(data(), LogScan.Visitor.NONE).faults();
      assertThat(faults).as("bit %d of byte %d", bit % 8, bit / 8).hasSize(1);
      assertThat((long) bit / 8)
          .isBetween(faults.get(0).offset(), faults.get(0).offset() + faults.get(0).bytes() - 1);
    }
  }

  @Test
  void aDamagedPacketCostsItsOwnMessagesOnly() throws IOException {
    fill();
    long readable = intact().readableMessages();
    Path first = logFiles().get(1);
    LogEntry packet = lastPacketOf(first);
    flip(first, (packet.end() - 200) * 8);

    VerifyReport report = QueueVerifier.verify(data());

    QueueCheck queue = report.queues().get(1);
    assertThat(report.openFailure()).isNull();
    assertThat(queue.damaged()).hasSize(1);
    DamagedPacket damaged = queue.damaged().get(0);
    assertThat(damaged.file()).isEqualTo(first.getFileName().toString());
    assertThat(damaged.offset()).isEqualTo(packet.offset());
    assertThat(damaged.messages()).isPositive();
    assertThat(report.lostMessages()).isEqualTo(damaged.messages());
    assertThat(report.readableMessages()).isEqualTo(readable - damaged.messages());
    ToolRun verify = ToolRun.of("verify", data());
    assertThat(verify.exitCode()).isEqualTo(FOUND);
    assertThat(verify.out())
        .contains(
            "queue q: packet "
                + damaged.sequence()
                + " with "
                + damaged.messages()
                + " messages is damaged or missing in the log ("
                + damaged.file()
                + " offset "
                + damaged.offset()
                + ")\n")
        .endsWith(
            "damaged: "
                + report.readableMessages()
                + " messages are readable, "
                + damaged.messages()
                + " are known to be lost\n");
    ToolRun exported = ToolRun.of("export", data(), "--all");
    assertThat(exported.exitCode()).isEqualTo(FOUND);
    assertThat(exported.lines()).hasSize((int) report.readableMessages());
    assertThat(exported.err()).contains("packet " + damaged.sequence() + " with ");
  }

  /** A record of at least 500 bytes that waits; the last ones of a file do. */
  private static LogEntry lastPacketOf(Path file) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    LogEntry found = null;
    for (int at = 0; at < content.limit() - LogEntry.HEADER_BYTES; ) {
      LogEntry entry = LogEntry.of(content, at, at);
      if (entry.size() > 500 && entry.type() >= 33 && entry.type() <= 36) {
        found = entry;
      }
      at = (int) entry.end();
    }
    assertThat(found).isNotNull();
    return found;
  }

  @Test
  void whatIsBehindAFaultOfTheLastFileIsKept() throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 100, 100));
    }
    long cut;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      cut = Files.size(logFiles().get(0));
      appendAll(queue, texts(100, 150, 100));
      new QueueReader<>(queue).drain(100);
    }
    assertThat(intact().readableMessages()).isEqualTo(50);
    Path file = logFiles().get(0);
    flip(file, (cut + 5) * 8);

    VerifyReport report = QueueVerifier.verify(data());

    assertThat(report.ok()).isFalse();
    assertThat(report.faults()).hasSize(1);
    LogFault fault = report.faults().get(0);
    assertThat(fault.offset()).isEqualTo(cut);
    assertThat(fault.endOfLog()).isFalse();
    assertThat(fault.lostBytes()).isZero();
    // The packet that is damaged is the only loss, and it is named.
    assertThat(report.lost()).isEmpty();
    assertThat(report.queues().get(0).damaged()).hasSize(1);
    int lost = (int) report.lostMessages();
    int readable = 50 - lost;
    assertThat(lost).as("messages of one packet").isBetween(1, 24);
    assertThat(report.readableMessages()).isEqualTo(readable);
    assertThat(ToolRun.of("verify", data()).out())
        .doesNotContain("the log ends")
        .contains("queue q: packet " + report.queues().get(0).damaged().get(0).sequence());
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain(readable))
          .as("what was said to be readable comes in order")
          .isEqualTo(texts(150 - readable, 150, 100));
      Await.until("the loss is counted", () -> queue.stats().lost() == lost);
    }
    VerifyReport repaired = QueueVerifier.verify(data());
    assertThat(repaired.faults()).isEmpty();
    assertThat(repaired.readableMessages()).isZero();
    assertThat(repaired.lostMessages()).as("the lost packet stays named").isEqualTo(lost);
  }

  @Test
  void aMissingLogFileIsALoss() throws IOException {
    fill();
    long readable = intact().readableMessages();
    Files.delete(logFiles().get(1));

    VerifyReport report = QueueVerifier.verify(data());

    assertThat(report.ok()).isFalse();
    assertThat(report.openFailure() != null || report.lostMessages() > 0).isTrue();
    if (report.openFailure() == null) {
      assertThat(report.readableMessages() + report.lostMessages())
          .isGreaterThanOrEqualTo(readable);
    }
  }

  /** A queue may have all its messages in the missing file, and nothing behind it. */
  @ParameterizedTest
  @ValueSource(ints = {500, 1500, 2500})
  void anyMissingLogFileIsALossOfAllThatWasInIt(int count) throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store);
        DurableQueue<String> other = openQueue(store, "other", new QueueOptions(), NO_LOSSES)) {
      appendAll(queue, texts(0, count, 1000));
      appendAll(other, texts(0, MESSAGES - count, 1000));
    }
    assertThat(intact().readableMessages()).isEqualTo(MESSAGES);
    assertThat(logFiles()).hasSizeGreaterThan(2);
    for (Path file : logFiles()) {
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);

      VerifyReport report = QueueVerifier.verify(data());

      assertThat(report.ok()).isFalse();
      if (report.openFailure() == null) {
        assertThat(report.readableMessages() + report.lostMessages())
            .as("without " + file.getFileName() + ": " + report)
            .isGreaterThanOrEqualTo(MESSAGES);
      }
      Files.write(file, bytes);
    }
  }

  @Test
  void aQueueThatWasRemovedIsNoLoss() throws IOException {
    try (QueueStore store = openStore()) {
      try (DurableQueue<String> other = openQueue(store, "other", new QueueOptions(), NO_LOSSES)) {
        appendAll(other, texts(0, 10, 1000));
      }
      store.deleteQueue("other");
      try (DurableQueue<String> queue = openQueue(store)) {
        appendAll(queue, texts(0, MESSAGES, 1000));
      }
    }
    Files.delete(logFiles().get(0));

    VerifyReport report = QueueVerifier.verify(data());

    assertThat(report.ok()).isFalse();
    assertThat(report.lost()).extracting(LostPackets::queue).doesNotContain("other");
  }

  @Test
  void aLogThatJeCannotOpenIsReadAllTheSame() throws IOException {
    fill();
    long readable = intact().readableMessages();
    List<Path> files = logFiles();
    flip(files.get(files.size() - 1), 20 * 8);

    VerifyReport report = QueueVerifier.verify(data());

    assertThat(report.faults()).hasSize(1);
    assertThat(report.openFailure()).isNull();
    assertThat(report.readableMessages()).isEqualTo(readable);
    ToolRun.of("list", data()).ok();
    assertThat(ToolRun.of("verify", data()).exitCode()).isEqualTo(FOUND);
  }

  @Tag("slow")
  @Test
  void everyFlippedBitOfAPacketRecordIsFoundUnderARightLog() {
    byte[] record = putPackets();
    for (int i = 0; i < FLIPS; i++) {
      int bit = random.nextInt(record.length * 8);
      byte[] flipped = record.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      put(KEY, flipped);

      VerifyReport report = QueueVerifier.verify(data());

      assertThat(report.faults()).isEmpty();
      QueueCheck queue = report.queues().get(0);
      assertThat(queue.damaged()).as("bit %d of byte %d", bit % 8, bit / 8).hasSize(1);
      assertThat(queue.damaged().get(0).sequence()).isEqualTo(KEY.firstSequence());
      assertThat(queue.damaged().get(0).what()).isEqualTo("fails its checksum");
      assertThat(report.lostMessages()).isEqualTo(3);
      assertThat(report.readableMessages()).isEqualTo(1);
    }
    put(KEY, record);
    assertThat(intact().readableMessages()).isEqualTo(4);
  }

  @Test
  void aPacketUnderTheKeyOfAnotherIsFound() {
    byte[] record = putPackets();
    PacketKey wrong = new PacketKey(50, KEY.count(), KEY.alive(), KEY.keep(), KEY.bytes());
    put(wrong, record);
    PacketKey count = new PacketKey(60, 4, 4, 4, KEY.bytes());
    put(count, record);

    VerifyReport report = QueueVerifier.verify(data());

    assertThat(report.queues().get(0).damaged())
        .extracting(DamagedPacket::what)
        .containsExactly("has another sequence than its key", "has another sequence than its key");
    assertThat(report.lostMessages()).isEqualTo(7);
  }

  private static final PacketKey KEY = new PacketKey(7, 3, 3, 3, PacketCodec.HEADER_BYTES + 318);

  /** One packet of three messages, the first of which is the record that is given back. */
  private byte[] putPackets() {
    Packet<byte[]> packet = new Packet<>(KEY.firstSequence());
    Packet<byte[]> next = new Packet<>(100);
    for (int i = 0; i < 3; i++) {
      byte[] body = new byte[100];
      random.nextBytes(body);
      packet.add(body, body.length, null, (byte) 0, null);
    }
    next.add(new byte[10], 10, null, (byte) 0, null);
    ByteBuffer out = ByteBuffer.allocate(4096);
    PacketKey nextKey = PacketCodec.encode(next, Serde.BYTES, 1, out);
    put(nextKey, bytes(out));
    assertThat(PacketCodec.encode(packet, Serde.BYTES, 1, out)).isEqualTo(KEY);
    byte[] record = bytes(out);
    put(KEY, record);
    return record;
  }

  private static byte[] bytes(ByteBuffer out) {
    byte[] bytes = new byte[out.remaining()];
    out.get(bytes);
    return bytes;
  }

  /** As JE would keep it, whatever it is. */
  private void put(PacketKey key, byte[] record) {
    StoreDirectory.open(data()).close();
    JeFiles files = new JeFiles(storeOptions());
    files.open();
    QueueTables.transact(
        files,
        Durability.MACHINE,
        transaction ->
            QueueTables.put(files.tables(), "q", transaction, key, ByteBuffer.wrap(record)));
    files.close();
  }

  @Test
  void aTornEndIsReportedAndHealsWhenTheStoreIsOpened() throws IOException {
    fill();
    long readable = intact().readableMessages();
    List<Path> files = logFiles();
    Path last = files.get(files.size() - 1);
    byte[] rubbish = new byte[100];
    random.nextBytes(rubbish);
    Files.write(last, rubbish, java.nio.file.StandardOpenOption.APPEND);

    VerifyReport report = QueueVerifier.verify(data());

    assertThat(report.faults()).hasSize(1);
    assertThat(report.faults().get(0).what()).contains("may leave the last write so");
    assertThat(report.readableMessages()).isEqualTo(readable);
    assertThat(report.lostMessages()).isZero();
    ToolRun.of("compact", data()).ok();
    assertThat(intact().readableMessages()).isEqualTo(readable);
    try (Stream<Path> left = Files.list(data())) {
      assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".bad"));
    }
  }
}
