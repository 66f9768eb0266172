package dev.weir.cluster;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A member with many groups. It says when all of them have a primary, then what it has in use, and
 * again after each line that is read.
 */
final class ManyGroupsChild {
  static final String STARTED = "started ms ";
  static final String SETTLED = "settled ms ";
  static final String FIGURES = "figures ";
  private static final int COLLECTIONS = 5;
  private static final long COLLECTION_MS = 300;
  private static final long CPU_MS = 5_000;
  private static final long CLIENT = 5;

  private ManyGroupsChild() {}

  /**
   * Arguments: directory, name of the member, names of all members as a list, port of each member
   * as a list, number of groups, how they replicate, whether to print figures.
   */
  public static void main(String[] args) throws Exception {
    long startNs = System.nanoTime();
    List<String> names = List.of(args[2].split(","));
    List<String> ports = List.of(args[3].split(","));
    ClusterNode node =
        ClusterNode.start(
            new NodeOptions()
                .setMemberName(args[1])
                .setPort(Integer.parseInt(ports.get(names.indexOf(args[1]))))
                .setJoin(ports.stream().map(port -> "127.0.0.1:" + port).toList())
                .setDirectory(Path.of(args[0])));
    System.out.println("joined ms " + sinceMs(startNs));
    List<ProcessorGroup> groups = new ArrayList<>();
    AtomicLong replied = new AtomicLong();
    int count = Integer.parseInt(args[4]);
    long groupsNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      groups.add(
          node.group(
                  new GroupOptions()
                      .setName("g" + i)
                      .setMembers(names)
                      .setReplication(Replication.valueOf(args[5])))
              .processor(new SumProcessor())
              .replies((client, sequence, buffer, offset, length) -> replied.incrementAndGet())
              .start());
    }
    System.out.println(STARTED + sinceMs(groupsNs));
    await(groups, count);
    System.out.println(SETTLED + sinceMs(startNs) + " groups " + sinceMs(groupsNs));
    ByteBuffer body = ByteBuffer.allocate(Long.BYTES);
    long sequence = 1;
    for (ProcessorGroup group : groups) {
      if (group.stats().accepting()) {
        group.offer(CLIENT, sequence, body, 0, Long.BYTES);
        group.flush();
      }
    }
    if (Boolean.parseBoolean(args[6])) {
      do {
        System.out.println(FIGURES + figures(groups));
      } while (System.in.read() >= 0);
    }
    while (System.in.read() >= 0) {
      LockSupport.parkNanos(1_000_000);
    }
    node.close();
  }

  private static void await(List<ProcessorGroup> groups, int count) {
    while (settled(groups) < count) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static long settled(List<ProcessorGroup> groups) {
    return groups.stream()
        .map(ProcessorGroup::stats)
        .filter(stats -> stats.accepting() || stats.role() == Role.BACKUP)
        .count();
  }

  private static long sinceMs(long startNs) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Without those in which Hazelcast does its periodic work: it keeps now more, now fewer. */
  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.getName().contains(".cached.thread-"))
        .count();
  }

  private static Map<String, Long> figures(List<ProcessorGroup> groups) throws Exception {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Thread.sleep(3_000);
    long changes = groups.stream().mapToLong(group -> group.stats().roleChanges()).sum();
    long beforeNs = system.getProcessCpuTime();
    Thread.sleep(CPU_MS);
    long cpuNs = system.getProcessCpuTime() - beforeNs;
    long changed = groups.stream().mapToLong(group -> group.stats().roleChanges()).sum() - changes;
    long direct = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      // A thread of the JVM frees what the collector found, some time later.
      Thread.sleep(COLLECTION_MS);
      direct = Math.min(direct, directBytes());
    }
    return Map.of(
        "heapKiB",
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10,
        "directKiB",
        direct >> 10,
        "threads",
        threads(),
        "files",
        ((UnixOperatingSystemMXBean) system).getOpenFileDescriptorCount(),
        "cpuMsPerS",
        TimeUnit.NANOSECONDS.toMillis(cpuNs) * 1_000 / CPU_MS,
        "roleChanges",
        changed);
  }
}
