package dev.weir.state.engine;

import dev.weir.options.ByteBudget;
import dev.weir.options.HeapBudget;
import dev.weir.state.DocumentsOptions;

/**
 * The heap of a store of documents, by what it is for. It is a part of the heap of a node, or the
 * store has a budget of its own.
 */
final class HeapShares {
  private static final int RESIDENT_PARTS = 2;

  /** Of the heap of a JVM, if there is no budget of a node. */
  private static final int PARTS_OF_JVM = 8;

  /** Of the share of a node. */
  private static final int PARTS_OF_SHARE = 5;

  /** Null if the store has a budget of its own. */
  private final ByteBudget share;

  private final long partBytes;

  /** Documents in memory that are on disk too. */
  final ByteBudget resident;

  /** Documents that are only in memory. */
  final ByteBudget memory;

  final ByteBudget inFlight;

  /**
   * What was read or made for operations much smaller than it, such as a small patch of a large
   * document, and what they are answered with. It counts in {@link #inFlight} too.
   */
  final ByteBudget outgrown;

  final long cacheBytes;

  /**
   * @param heap the heap of the node; null for a budget of the store's own
   * @throws IllegalArgumentException if the node has no share for documents
   */
  HeapShares(DocumentsOptions options, HeapBudget heap) {
    this.share = heap == null ? null : heap.share(HeapBudget.Share.DOCUMENTS);
    if (share != null && share.limitBytes() == 0) {
      throw new IllegalArgumentException(
          "documentsPercent is 0, so this node has no heap for documents");
    }
    this.partBytes =
        share == null
            ? Runtime.getRuntime().maxMemory() / PARTS_OF_JVM
            : share.limitBytes() / PARTS_OF_SHARE;
    this.resident = part(options.getResidentBytes(), RESIDENT_PARTS);
    // Without a directory nothing is resident: all documents are in memory only.
    int memoryParts = options.getDirectory() == null ? 1 + RESIDENT_PARTS : 1;
    this.memory = part(options.getMemoryBytes(), memoryParts);
    this.inFlight = part(options.getInFlightBytes(), 1);
    this.outgrown = new ByteBudget(inFlight.limitBytes());
    this.cacheBytes = bytes(options.getCacheBytes(), 1);
  }

  private ByteBudget part(long askedBytes, int parts) {
    long bytes = bytes(askedBytes, parts);
    return share == null ? new ByteBudget(bytes) : share.part(bytes);
  }

  private long bytes(long askedBytes, int parts) {
    return askedBytes == 0
        ? Math.max(DocumentsOptions.MIN_BUDGET_BYTES, partBytes * parts)
        : askedBytes;
  }

  /** Takes what JE's cache may hold, which JE sees to by itself. */
  void takeCache() {
    if (share != null) {
      share.take(cacheBytes);
    }
  }

  /** Gives back everything, when the store is closed. */
  void close(boolean cache) {
    resident.give(resident.usedBytes());
    memory.give(memory.usedBytes());
    if (cache && share != null) {
      share.give(cacheBytes);
    }
  }
}
