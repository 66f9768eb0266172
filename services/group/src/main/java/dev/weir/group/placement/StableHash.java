package dev.weir.group.placement;

import java.nio.charset.StandardCharsets;

/** Hashes of names. What they give is on disk and agreed between members, so it must stay. */
public final class StableHash {
  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private StableHash() {}

  /** FNV-1a. */
  public static long of(byte[] bytes) {
    long hash = FNV_BASIS;
    for (byte each : bytes) {
      hash = (hash ^ (each & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /** FNV-1a of a text in UTF-8. */
  static long of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Spreads the bits of a number: the last step of SplitMix64. */
  static long mix(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /**
   * The shard of a key.
   *
   * @param key not null, without halves of surrogate pairs
   * @param shards 1 or more
   * @return 0 to {@code shards} - 1
   */
  public static int shardOf(String key, int shards) {
    return (int) Long.remainderUnsigned(mix(of(key)), shards);
  }
}
