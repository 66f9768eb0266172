package dev.weir.cluster;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A group whose members are in this process, on a {@link LocalNetwork}, and one client of it. */
public final class TestGroup implements AutoCloseable {
  public static final long CLIENT = 77;

  public final LocalNetwork network;
  public final Map<Long, Long> replies = new ConcurrentHashMap<>();
  public final Map<Long, Integer> replyCounts = new ConcurrentHashMap<>();

  /** In the order in which they came, without those given again. */
  public final List<Long> replyOrder = new CopyOnWriteArrayList<>();

  /** What the threads of all members said they are for. */
  public final List<GroupDuty> duties = new CopyOnWriteArrayList<>();

  /** The reasons of rejected messages. */
  public final Map<Long, String> rejected = new ConcurrentHashMap<>();

  /** What handlers threw on any member. */
  public final List<Throwable> causes = new CopyOnWriteArrayList<>();

  /** At which number the processor of a member fails. */
  public final Map<Integer, Long> failsAt = new ConcurrentHashMap<>();

  /** Makes the processor of a member, in place of a {@link SumProcessor}; null if it is not set. */
  public volatile IntFunction<EventSourcedProcessor> processors;

  /**
   * Makes the processor of a member, in place of a {@link SumInState}; null if it is not set. Its
   * state is on the disk then.
   */
  public volatile Supplier<StateReplicatedProcessor> storedProcessors;

  /** Heap of each member for such a state. */
  public volatile long heapBytes;

  /** Runs when a {@link SumProcessor} of any member is restored. */
  public volatile Runnable onRestore = () -> {};

  /** Of members that are started from now on. */
  public final GroupOptions options;

  private final Path directory;
  private final boolean stateReplicated;
  private final ProcessorGroup[] members;
  private final ByteBuffer body = ByteBuffer.allocate(Long.BYTES);

  public TestGroup(GroupOptions options, int members, Path directory, boolean stateReplicated) {
    this.options =
        new GroupOptions(options)
            .setMembers(IntStream.range(0, members).mapToObj(i -> "m" + i).toList());
    this.directory = directory;
    this.stateReplicated = stateReplicated;
    this.network = new LocalNetwork(members);
    this.members = new ProcessorGroup[members];
  }

  /** Who is there is heard often; silence proves nothing, however slow the machine is. */
  public static GroupOptions patient() {
    return new GroupOptions().setHeartbeatMs(10).setLeaseMs(10_000).setTakeoverMs(20_000);
  }

  public TestGroup startAll() {
    for (int member = 0; member < members.length; member++) {
      start(member);
    }
    return this;
  }

  public void start(int member) {
    Path own = directory(member);
    network.limit(FrameLimits.of(options).maxFrameBytes());
    GroupBuilder builder =
        new GroupBuilder(
            options,
            (o, agreement, threads) ->
                new GroupBuilder.Place(member, own, network.transport(member)),
            group -> {});
    if (options.isWitness(member)) {
      members[member] = builder.onThread(duties::add).start();
      return;
    }
    if (processors != null) {
      builder.processor(processors.apply(member));
    } else if (storedProcessors != null) {
      builder.processor(storedProcessors.get()).stateOnDisk(new State.Heap(heapBytes));
    } else if (stateReplicated) {
      builder.processor(new SumInState(failsAt.getOrDefault(member, Long.MIN_VALUE)));
    } else {
      builder.processor(
          new SumProcessor(failsAt.getOrDefault(member, Long.MIN_VALUE), () -> onRestore.run()));
    }
    members[member] =
        builder
            .replies(new Replies())
            .rejections((message, cause) -> causes.add(cause))
            .onThread(duties::add)
            .start();
  }

  private final class Replies implements ReplySink {
    @Override
    public void onReply(long client, long sequence, ByteBuffer buffer, int offset, int length) {
      if (replies.put(sequence, buffer.getLong(offset)) == null) {
        replyOrder.add(sequence);
      }
      replyCounts.merge(sequence, 1, Integer::sum);
    }

    @Override
    public void onRejected(long client, long sequence, ByteBuffer buffer, int offset, int length) {
      byte[] reason = new byte[length];
      buffer.get(offset, reason);
      rejected.put(sequence, new String(reason, StandardCharsets.UTF_8));
      replyCounts.merge(sequence, 1, Integer::sum);
    }
  }

  public Path directory(int member) {
    return directory.resolve(options.getMembers().get(member));
  }

  public ProcessorGroup member(int member) {
    return members[member];
  }

  public void kill(int member) {
    network.kill(member);
    members[member].stop();
    members[member] = null;
  }

  public void closeGracefully(int member) {
    members[member].close();
    members[member] = null;
  }

  public int primary() {
    for (int member = 0; member < members.length; member++) {
      if (members[member] != null && members[member].stats().accepting()) {
        return member;
      }
    }
    return -1;
  }

  public int awaitPrimary() {
    Await.until(() -> "one of the members accepts: " + describe(), () -> primary() >= 0);
    return primary();
  }

  /** Waits until so many members are in sync and know it: before that they cannot take over. */
  public void awaitInSync(int count) {
    Await.until(
        () -> count + " members are in sync: " + describe(),
        () -> primary() >= 0 && knowing(count) == count);
  }

  private long knowing(int count) {
    return Stream.of(members)
        .filter(m -> m != null && m.stats().role() != Role.WITNESS && m.stats().inSync() == count)
        .count();
  }

  /** Sends numbers, sequence s has the value s, and waits for their replies. */
  public void send(long from, long to) {
    for (long sequence = from; sequence <= to; sequence++) {
      long number = sequence;
      Await.until(
          () -> "message " + number + " is taken: " + describe(), () -> taken(offer(number)));
    }
    Await.until(
        () -> "replies up to " + to + " come: " + describe(),
        () -> {
          flush();
          return replies.containsKey(to);
        });
  }

  private static boolean taken(OfferResult intake) {
    return intake == OfferResult.ACCEPTED
        || intake == OfferResult.ANSWERED
        || intake == OfferResult.PENDING;
  }

  public OfferResult offer(long sequence) {
    int primary = primary();
    return primary < 0 ? OfferResult.NOT_PRIMARY : offer(primary, sequence);
  }

  public OfferResult offer(int member, long sequence) {
    return offer(member, sequence, sequence);
  }

  public OfferResult offer(int member, long sequence, long number) {
    return members[member].offer(CLIENT, sequence, body.putLong(0, number), 0, Long.BYTES);
  }

  public void flush() {
    for (ProcessorGroup member : members) {
      if (member != null) {
        member.flush();
      }
    }
  }

  /** Closes all and returns the bytes of each member's log, by position. */
  public List<Map<Long, ByteBuffer>> closeAndReadLogs() {
    close();
    return options.getMembers().stream().map(this::readLog).toList();
  }

  private Map<Long, ByteBuffer> readLog(String member) {
    Map<Long, ByteBuffer> batches = new TreeMap<>();
    try (TransactionLog log = JeTransactionLog.open(directory.resolve(member))) {
      if (log.start() < log.end().position()) {
        log.read(
            log.start(),
            batch -> {
              ByteBuffer copy = ByteBuffer.allocate(batch.remaining()).put(batch).flip();
              batches.put(Batch.position(copy, 0), copy);
              return true;
            });
      }
    }
    return batches;
  }

  public String describe() {
    StringBuilder text = new StringBuilder();
    for (ProcessorGroup member : members) {
      text.append(member == null ? "down" : member.stats()).append("; ");
    }
    return text.toString();
  }

  @Override
  public void close() {
    network.close();
    for (int member = 0; member < members.length; member++) {
      if (members[member] != null) {
        members[member].stop();
        members[member] = null;
      }
    }
  }
}
