package dev.weir.queue.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.ByteBudget;
import dev.weir.queue.Completion;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.Serde;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.QueueLimits.PacketLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Lets random things happen to a {@link PacketLine} in a random order, as its threads and the disk
 * would, and compares it with a list of messages that each know their state.
 */
final class PacketLineSimulation {
  private enum State {
    WAITING,
    TAKEN,
    ACKNOWLEDGED,
    RELEASED,
    REFUSED,
    DROPPED,
    LOST,
    GONE
  }

  private static final class Message {
    final int id;
    final int sizeBytes;
    final boolean keep;
    final boolean durable;
    final boolean unwritable;
    final boolean unreadable;
    State state = State.WAITING;
    boolean inCorruptPacket;
    int deliveries;

    Message(int id, Random random, boolean durable) {
      this.id = id;
      this.sizeBytes = Integer.BYTES + random.nextInt(120);
      this.durable = durable;
      this.keep = durable || random.nextBoolean();
      this.unwritable = random.nextInt(60) == 0;
      this.unreadable = !keep && random.nextInt(60) == 0;
    }

    void become(State next) {
      assertThat(state).as("message %s becomes %s", id, next).isEqualTo(State.WAITING);
      state = next;
    }
  }

  private final class MessageSerde implements Serde<Message> {
    @Override
    public int sizeBytes(Message message) {
      return message.sizeBytes;
    }

    @Override
    public void write(Message message, ByteBuffer out) {
      if (message.unwritable) {
        throw new IllegalStateException("unwritable");
      }
      out.putInt(message.id).put(new byte[message.sizeBytes - Integer.BYTES]);
    }

    @Override
    public Message read(ByteBuffer in) {
      Message message = messages.get(in.getInt());
      if (message.unreadable) {
        throw new IllegalStateException("unreadable");
      }
      return message;
    }
  }

  private final Random random;
  private final boolean dropping;
  private final long maxBytes;
  private final int packetBytes;
  private final int largePacketBytes;
  private final long readAheadBytes;
  private final boolean writeThrough;
  private final long writePressureBytes;
  private final long writeAheadBytes;
  private final Serde<Message> serde = new MessageSerde();
  private final ByteBuffer scratch = ByteBuffer.allocate(1 << 16);

  // What is on disk.
  private final TreeMap<PacketKey, byte[]> packets =
      new TreeMap<>(
          Comparator.comparingLong(PacketKey::firstSequence)
              .thenComparing(PacketKey::alive)
              .thenComparing(PacketKey::keep)
              .thenComparing(PacketKey::count));
  private final TreeMap<Long, byte[]> progress = new TreeMap<>();
  private long block = 1;

  // What should be.
  private final List<Message> messages = new ArrayList<>();
  private final Map<Long, Message> bySequence = new HashMap<>();
  private final List<TakenMessage<Message>> taken = new ArrayList<>();
  private long nextSequence;

  private PacketLine<Message> line;
  private QueueRecovery recovery;

  private List<Packet<Message>> writing;
  private List<Packet<Message>> deletes;
  private List<Packet<Message>> dirty;
  private List<Runnable> transaction;

  private DiskRegion.Load load;
  private QueueTables.Found found;

  PacketLineSimulation(long seed, boolean dropping) {
    random = new Random(seed);
    this.dropping = dropping;
    maxBytes = dropping ? 1000 + random.nextInt(4000) : Long.MAX_VALUE;
    packetBytes = 60 + random.nextInt(600);
    largePacketBytes = packetBytes * (1 + random.nextInt(4));
    readAheadBytes = random.nextInt(3000);
    writeThrough = random.nextInt(4) == 0;
    writePressureBytes = random.nextInt(5000);
    writeAheadBytes = random.nextInt(5000);
    open();
  }

  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      step(random.nextInt(100));
      compare();
    }
    finish();
  }

  private void step(int dice) {
    if (dice < 30) {
      append();
    } else if (dice < 45) {
      if (writing == null) {
        beginWrite(random.nextInt(5) > 0);
      } else {
        endWrite(random.nextInt(4) > 0);
      }
    } else if (dice < 55) {
      if (load == null) {
        beginLoad();
      } else {
        endLoad(random.nextInt(6) == 0);
      }
    } else if (dice < 78) {
      poll();
    } else if (dice < 96) {
      if (!taken.isEmpty()) {
        end(taken.remove(random.nextInt(taken.size())), random.nextInt(12) > 0);
      }
    } else if (dice < 98) {
      failDurable();
    } else if (!dropping && random.nextInt(4) == 0) {
      crash();
    }
  }

  // ---- what senders and the consumer do

  private void append() {
    Message message = new Message(messages.size(), random, !dropping && random.nextInt(3) == 0);
    if (dropping && !line.makeRoom(message.sizeBytes + 34, 2000)) {
      losses();
      return;
    }
    losses();
    messages.add(message);
    bySequence.put(nextSequence++, message);
    line.append(
        message,
        message.sizeBytes,
        null,
        message.keep ? 0 : Packet.TRANSIENT,
        message.durable ? null : message);
    if (message.durable) {
      line.require(Durability.PROCESS, new Told(message));
    }
  }

  private record Told(Message message) implements Completion {
    @Override
    public void complete(QueueException failure) {
      throw new AssertionError("nobody calls it here");
    }
  }

  private void poll() {
    boolean pollable = line.pollable();
    TakenMessage<Message> delivery = take();
    assertThat(delivery != null).as("pollable").isEqualTo(pollable);
    if (delivery != null) {
      Message message = delivery.message();
      assertThat(message).isSameAs(oldestWaiting());
      message.become(State.TAKEN);
      message.deliveries++;
      assertThat(delivery.deliveryCount()).isEqualTo(message.deliveries);
      assertThat(bySequence.get(delivery.sequence())).isSameAs(message);
      taken.add(delivery);
    }
  }

  private TakenMessage<Message> take() {
    TakenMessage<Message> taken = line.take();
    if (taken != null) {
      line.count(taken, taken.deliveryCount() + 1);
      line.totals().unacknowledged++;
    }
    return taken;
  }

  private void acknowledge(TakenMessage<Message> delivery) {
    if (delivery.end()) {
      line.takeBack();
      line.settle(delivery.packet(), delivery.index());
    }
  }

  private Message oldestWaiting() {
    return messages.stream()
        .filter(message -> message.state == State.WAITING)
        .findFirst()
        .orElseThrow();
  }

  private void end(TakenMessage<Message> delivery, boolean acknowledge) {
    Message message = delivery.message();
    if (acknowledge) {
      acknowledge(delivery);
      acknowledge(delivery);
      message.state = State.ACKNOWLEDGED;
    } else {
      line.release(delivery);
      line.release(delivery);
      message.state = message.keep ? State.RELEASED : State.ACKNOWLEDGED;
    }
  }

  // ---- what the writer does

  private void beginWrite(boolean withPackets) {
    writing = withPackets ? line.beginWrite(1 + random.nextInt(2000)) : List.of();
    deletes = line.upkeep().takeDeletes();
    dirty = line.upkeep().takeDirty(Set.of());
    transaction = null;
    if (random.nextBoolean()) {
      encode();
    }
  }

  private void encode() {
    transaction = new ArrayList<>();
    for (Packet<Message> packet : writing) {
      PacketKey key = PacketCodec.encode(packet, serde, 0, scratch);
      byte[] bytes = new byte[scratch.remaining()];
      scratch.get(bytes);
      packet.attempt(key);
      packet.oldKeys.forEach(old -> transaction.add(() -> packets.remove(old)));
      transaction.add(() -> packets.put(key, bytes));
    }
    for (Packet<Message> packet : deletes) {
      transaction.add(() -> packets.remove(packet.key));
      packet.oldKeys.forEach(old -> transaction.add(() -> packets.remove(old)));
      if (packet.progressOnDisk) {
        transaction.add(() -> progress.remove(packet.firstSequence));
      }
    }
    for (Packet<Message> packet : dirty) {
      byte[] bytes = PacketProgress.of(packet).toBytes();
      transaction.add(() -> progress.put(packet.firstSequence, bytes));
      packet.progressOnDisk = true;
    }
  }

  private void endWrite(boolean committed) {
    if (transaction == null) {
      encode();
    }
    if (committed || random.nextInt(3) == 0) {
      transaction.forEach(Runnable::run);
    }
    if (committed) {
      line.endWrite(writing);
      writing.forEach(this::refuseBroken);
    } else {
      line.abortWrite(writing);
      line.upkeep().abort(deletes, dirty);
    }
    writing = null;
    losses();
  }

  private void refuseBroken(Packet<Message> packet) {
    for (int i = 0; packet.completions != null && i < packet.count; i++) {
      if (packet.completions[i] instanceof Told told && packet.isBroken(i)) {
        told.message.become(State.REFUSED);
      }
    }
    packet.completions = null;
  }

  private void failDurable() {
    if (writing == null) {
      line.failDurable().forEach(told -> ((Told) told).message.become(State.REFUSED));
    }
  }

  // ---- what the reader does

  private void beginLoad() {
    if (line.wantsLoad()) {
      load = line.beginLoad();
      found = read(random.nextInt(2000));
    }
  }

  private QueueTables.Found read(long atMostBytes) {
    List<QueueTables.Read> read = new ArrayList<>();
    PacketKey from = new PacketKey(load.fromSequence(), 0, 0, 0, 0);
    long bytes = 0;
    for (Map.Entry<PacketKey, byte[]> entry : packets.tailMap(from).entrySet()) {
      if (entry.getKey().firstSequence() >= load.endSequence()) {
        break;
      }
      if (entry.getKey().alive() > 0) {
        read.add(new QueueTables.Read(entry.getKey(), ByteBuffer.wrap(entry.getValue())));
      }
      bytes += entry.getValue().length;
      if (bytes >= atMostBytes || read.size() == load.packets()) {
        return new QueueTables.Found(read, false);
      }
    }
    return new QueueTables.Found(read, true);
  }

  private void endLoad(boolean corrupt) {
    assertThat(found.exhausted()).as("packets are missing").isFalse();
    List<PacketLine.Loaded<Message>> loaded = new ArrayList<>();
    for (QueueTables.Read record : found.records()) {
      int alive = recovery.alive(record.key());
      if (corrupt && random.nextInt(3) == 0) {
        forRange(record.key(), this::loseCorrupt);
        loaded.add(new PacketLine.Loaded<>(record.key(), alive, null));
      } else {
        Packet<Message> packet = PacketCodec.decode(record.key(), record.value(), serde);
        recovery.restore(packet);
        assertThat(packet.unsettled()).as("alive").isEqualTo(alive);
        forRange(record.key(), this::loseUnreadable);
        loaded.add(new PacketLine.Loaded<>(record.key(), alive, packet));
      }
    }
    line.endLoad(load, loaded, false);
    load = null;
    losses();
  }

  /** Its packet stays on disk, and is tried again after a restart. */
  private void loseCorrupt(Message message) {
    message.become(State.LOST);
    message.inCorruptPacket = true;
  }

  private void loseUnreadable(Message message) {
    if (message.unreadable) {
      message.become(State.LOST);
    }
  }

  private void forRange(PacketKey key, Consumer<Message> action) {
    for (long i = key.firstSequence(); i < key.endSequence(); i++) {
      Message message = bySequence.get(i);
      if (message != null && message.state == State.WAITING) {
        action.accept(message);
      }
    }
  }

  /** What was attached to offers tells what became of them. */
  private void losses() {
    for (PacketLine.Lost lost : line.takeLosses()) {
      Message message = (Message) lost.attachment();
      if (lost.reason() == Reason.CORRUPT) {
        assertThat(message.state).isEqualTo(State.LOST);
      } else {
        message.become(lost.reason() == Reason.DROPPED ? State.DROPPED : State.LOST);
      }
    }
  }

  // ---- restarts

  private void crash() {
    taken.clear();
    writing = null;
    load = null;
    open();
  }

  /** Recovers the line from what is on disk, and the model from the same by its own means. */
  private void open() {
    Map<Long, PacketProgress> known = new HashMap<>();
    progress.forEach((first, bytes) -> known.put(first, PacketProgress.of(bytes)));
    model(known);
    recovery = new QueueRecovery(block++ << 40, known);
    packets.keySet().removeIf(key -> !recovery.add(key));
    recovery.orphans().forEach(progress::remove);
    PacketLimits limits =
        new PacketLimits(
            packetBytes,
            largePacketBytes,
            readAheadBytes,
            4L * readAheadBytes,
            dropping ? maxBytes : Long.MAX_VALUE,
            writeThrough,
            writeAheadBytes,
            writePressureBytes,
            16,
            () -> packets.size() % 3 == 0);
    line = new PacketLine<>(limits, new IdWindow(0, 0, new ByteBudget(0)));
    line.recover(recovery);
    nextSequence = recovery.nextSequence();
    compare();
  }

  private void model(Map<Long, PacketProgress> known) {
    messages.forEach(message -> message.state = State.GONE);
    packets.forEach((key, bytes) -> model(key, bytes, known.get(key.firstSequence())));
    bySequence.keySet().removeIf(sequence -> bySequence.get(sequence).state == State.GONE);
  }

  private void model(PacketKey key, byte[] bytes, PacketProgress known) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    in.position(PacketCodec.HEADER_BYTES);
    for (int i = 0; i < key.count(); i++) {
      int length = in.getInt();
      int end = in.position() + length;
      boolean keep = in.get() == 0;
      byte state = in.get();
      byte later = known == null ? state : known.bytes()[i];
      if (keep && state >= 0 && later >= 0) {
        Message message = bySequence.get(key.firstSequence() + i);
        message.state = State.WAITING;
        message.inCorruptPacket = false;
        message.deliveries = later;
      }
      in.position(end);
    }
  }

  // ---- comparing

  private void compare() {
    line.check();
    assertThat(line.waiting()).as("waiting").isEqualTo(count(State.WAITING));
    assertThat(line.unacknowledged()).as("unacknowledged").isEqualTo(taken.size());
    if (dropping) {
      assertThat(line.totals().dropped).as("dropped").isEqualTo(count(State.DROPPED));
      assertThat(line.bytes()).as("bytes").isLessThanOrEqualTo(maxBytes + 2000);
    }
  }

  private long count(State state) {
    return messages.stream().filter(message -> message.state == state).count();
  }

  /** Lets everything come to rest, and the queue be closed and opened again. */
  private void finish() {
    for (int i = 0; line.waiting() > 0 || !taken.isEmpty() || i < 3; i++) {
      assertThat(i).as("rounds to come to rest").isLessThan(100_000);
      if (writing == null) {
        beginWrite(line.wantsWrite());
      }
      endWrite(true);
      if (load == null) {
        beginLoad();
      }
      if (load != null) {
        endLoad(false);
      }
      for (int polls = 0; polls < 20 && line.pollable(); polls++) {
        poll();
      }
      taken.forEach(delivery -> end(delivery, true));
      taken.clear();
      compare();
    }
    long released = count(State.RELEASED);
    if (released == 0) {
      assertThat(line.bytes()).as("bytes at rest").isZero();
      assertThat(line.bufferedBytes()).as("buffered bytes at rest").isZero();
    }
    line.beginClose();
    while (line.wantsWrite() || !line.upkeep().isEmpty()) {
      beginWrite(line.wantsWrite());
      endWrite(true);
    }
    assertThat(line.hasUnwritten()).as("unwritten after close").isFalse();
    long left =
        messages.stream()
            .filter(message -> message.keep)
            .filter(
                message ->
                    message.state == State.RELEASED && !message.unwritable
                        || message.state == State.LOST && message.inCorruptPacket)
            .count();
    open();
    assertThat(line.waiting()).as("left").isEqualTo(left);
  }
}
