package dev.weir.options;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The heap of one node, divided into shares. Everything that holds bytes of messages takes them
 * from the budget of its share. The shares together are three fifths of the heap: the rest is for
 * copies under way, for objects of the libraries, for the application and for the collector.
 *
 * <p>Two nodes in one JVM have a budget each, of a part of the heap each. Any thread.
 */
public final class HeapBudget {
  /** What the bytes are held for; each has so many 64ths of the heap. */
  public enum Share {
    /** The cache of the store. */
    STORE_CACHE(4),
    /** Messages on their way to disk and back: write buffers and what is read ahead. */
    QUEUE_BUFFERS(8),
    /** The memory tiers of all services. */
    MEMORY_TIERS(8),
    /** Messages from disk that handlers have. */
    HANDLING(4),
    /** Bodies of requests and replies that a gateway reads or writes, on every protocol. */
    BODIES(8),
    /** Connections of clients: their state in the gateway and its libraries. */
    CONNECTIONS(6),
    /** Answers that are remembered for repeated requests. */
    IDEMPOTENCY(1),
    /** Documents, operations on them, and the cache of their store; nothing if not asked for. */
    DOCUMENTS(0);

    private final int parts;

    Share(int parts) {
      this.parts = parts;
    }
  }

  /** The smallest heap of a node: {@value} bytes. */
  public static final long MIN_HEAP_BYTES = 16L << 20;

  /** The largest part of a heap that documents may have, in percent. */
  public static final int MAX_DOCUMENTS_PERCENT = 40;

  private static final int PARTS = 64;

  /** What all shares have together. */
  private static final int SHARED_PARTS = 39;

  /** A message takes at most this part of the heap, because some steps on its way copy it. */
  private static final int MESSAGE_PARTS = 32;

  /** Remembered ids of groups are to take this part of the heap, outside the shares. */
  private static final int ID_PARTS = 8;

  private final long heapBytes;
  private final Map<Share, ByteBudget> shares = new EnumMap<>(Share.class);

  /**
   * @param heapBytes the heap that the node may use, {@value #MIN_HEAP_BYTES} or more
   */
  public HeapBudget(long heapBytes) {
    this(heapBytes, 0);
  }

  /**
   * A budget with a share for documents; the other shares are smaller for it.
   *
   * @param heapBytes the heap that the node may use, {@value #MIN_HEAP_BYTES} or more
   * @param documentsPercent 0 to {@value #MAX_DOCUMENTS_PERCENT}, of the heap
   */
  public HeapBudget(long heapBytes, int documentsPercent) {
    this.heapBytes = Checks.range("heapBytes", heapBytes, MIN_HEAP_BYTES, Long.MAX_VALUE);
    Checks.range("documentsPercent", documentsPercent, 0, MAX_DOCUMENTS_PERCENT);
    long documentsBytes = heapBytes / 100 * documentsPercent;
    long restBytes = heapBytes / PARTS * SHARED_PARTS - documentsBytes;
    for (Share share : Share.values()) {
      shares.put(share, new ByteBudget(restBytes / SHARED_PARTS * share.parts));
    }
    shares.put(Share.DOCUMENTS, new ByteBudget(documentsBytes));
  }

  /** A budget of all the heap that this JVM may ever have. */
  public static HeapBudget ofJvm() {
    return new HeapBudget(jvmBytes());
  }

  private static long jvmBytes() {
    return Math.max(MIN_HEAP_BYTES, Runtime.getRuntime().maxMemory());
  }

  /**
   * A budget by an option.
   *
   * @param heapBytes 0 for all the heap that this JVM may ever have
   */
  public static HeapBudget of(long heapBytes) {
    return of(heapBytes, 0);
  }

  /**
   * A budget by two options.
   *
   * @param heapBytes 0 for all the heap that this JVM may ever have
   * @param documentsPercent 0 to {@value #MAX_DOCUMENTS_PERCENT}, of the heap
   */
  public static HeapBudget of(long heapBytes, int documentsPercent) {
    return new HeapBudget(heapBytes == 0 ? jvmBytes() : heapBytes, documentsPercent);
  }

  public ByteBudget share(Share share) {
    return shares.get(share);
  }

  /** The size of the largest message or body that this heap can carry. */
  public int maxMessageBytes() {
    return (int) Math.min(Integer.MAX_VALUE, heapBytes / MESSAGE_PARTS);
  }

  /**
   * What the ids that groups remember are to take together, with the replies to their messages. An
   * aim: a replica that gets no new id forgets nothing, and a backup holds what its primary, by the
   * heap of that member, remembers.
   */
  public long idBytes() {
    return heapBytes / ID_PARTS;
  }

  /** The shares and their sizes in one line, such as "BODIES 32 MiB", for the log of a start. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("heap ").append(mebibytes(heapBytes));
    shares.forEach(
        (share, budget) -> {
          if (budget.limitBytes() > 0) {
            text.append(", ")
                .append(share.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .append(' ')
                .append(mebibytes(budget.limitBytes()));
          }
        });
    return text.append(", largest message ").append(mebibytes(maxMessageBytes())).toString();
  }

  /** With one decimal, rounded half up. */
  private static String mebibytes(long bytes) {
    long tenths = Math.round(bytes * 10.0 / (1 << 20));
    return tenths / 10 + "." + tenths % 10 + " MiB";
  }
}
