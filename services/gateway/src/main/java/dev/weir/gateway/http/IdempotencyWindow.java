package dev.weir.gateway.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The answers to the last requests that came with a key, so that a repeated one is not handled
 * again: bounded in number, bytes and time, in memory only. A repeat while the first is in handling
 * waits for the same answer, and may be sent too. Any thread.
 */
public final class IdempotencyWindow {

  /** What a request with a key meets. */
  public enum Meets {
    /**
     * Nothing: it is the first, or the first is in handling and this repeat is sent too. {@link
     * #complete} must follow.
     */
    NOTHING,
    /** The first in handling or its answer: the listener is told. */
    THE_FIRST,
    /** Another request under the same key. */
    ANOTHER,
    /**
     * No room: as many as are kept are in handling, or this client has its part of them there, or
     * too many repeats wait for the first.
     */
    NO_ROOM
  }

  /**
   * @param client the client's name: no client gets the reply to another
   * @param address the service
   * @param key what the client sent
   */
  public record Key(String client, String address, String key) {}

  /** The remembered requests of one client. */
  private static final class Share {
    /** The oldest first. */
    final ArrayDeque<Key> keys = new ArrayDeque<>();

    long bytes;
    int inHandling;

    int size() {
      return keys.size() + inHandling;
    }
  }

  private static final class Entry {
    final String fingerprint;
    List<Consumer<Answer>> waiting = new ArrayList<>(1);

    /** The listeners of requests that were sent and have no outcome yet. */
    List<Consumer<Answer>> sent = new ArrayList<>(1);

    /**
     * The last failure that is not kept, of a request that may have been handled; null for none.
     */
    Answer unsure;

    /** Null while it is in handling. */
    Answer answer;

    long doneAtMs;

    Entry(String fingerprint) {
      this.fingerprint = fingerprint;
    }

    /** What the entry takes of the heap under its key, near enough for a limit. */
    int memoryBytes(Key key) {
      return answer.memoryBytes() + ENTRY_BYTES + 2 * key.key.length();
    }
  }

  /** The objects that stand for a key, its request and its client. */
  private static final int ENTRY_BYTES = 400;

  /**
   * So many requests of one key are under way at a time. A further repeat waits for the outcome of
   * these.
   */
  static final int MAX_SENT = 4;

  /** So many wait for one answer. */
  private static final int MAX_WAITING = 100;

  /** Answers with this status and above are failures. */
  private static final int FAILURE = 400;

  private final int maxKeys;
  private final long maxBytes;
  private final long windowMs;
  private final Map<Key, Entry> inHandling = new LinkedHashMap<>();

  /** Of all clients, the oldest first. */
  private final LinkedHashMap<Key, Entry> answered = new LinkedHashMap<>();

  private final Map<String, Share> shares = new HashMap<>();
  private long bytes;

  public IdempotencyWindow(int maxKeys, long maxBytes, long windowMs) {
    this.maxKeys = maxKeys;
    this.maxBytes = maxBytes;
    this.windowMs = windowMs;
  }

  /**
   * @param fingerprint of the request; equal requests have equal fingerprints
   * @param nowMs by a clock that nobody sets: a jump would forget answers, and a repeated request
   *     would be handled again
   * @param sentAgain whether a repeat is sent too while fewer than {@value #MAX_SENT} of its key
   *     are in handling
   * @param listener told once if this meets nothing or the first, maybe before this returns
   */
  public Meets claim(
      Key key, String fingerprint, long nowMs, boolean sentAgain, Consumer<Answer> listener) {
    Answer answer;
    synchronized (this) {
      forget(nowMs);
      Entry first = answered.get(key);
      first = first == null ? inHandling.get(key) : first;
      if (first != null && !first.fingerprint.equals(fingerprint)) {
        return Meets.ANOTHER;
      }
      if (first == null ? isFull(key.client) : isAwaitedByMany(first)) {
        return Meets.NO_ROOM;
      }
      if (first == null || first.answer == null) {
        return wait(key, first, fingerprint, sentAgain, listener);
      }
      answer = first.answer;
    }
    listener.accept(answer);
    return Meets.THE_FIRST;
  }

  private Meets wait(
      Key key, Entry first, String fingerprint, boolean sentAgain, Consumer<Answer> listener) {
    Entry entry = first == null ? new Entry(fingerprint) : first;
    entry.waiting.add(listener);
    if (first == null) {
      makeRoom(key.client);
      inHandling.put(key, entry);
      share(key.client).inHandling++;
    } else if (!sentAgain || entry.sent.size() >= MAX_SENT) {
      return Meets.THE_FIRST;
    }
    entry.sent.add(listener);
    return Meets.NOTHING;
  }

  private static boolean isAwaitedByMany(Entry first) {
    return first.answer == null && first.waiting.size() > MAX_WAITING;
  }

  /** Whether one more of a client could only push out what belongs to others. */
  private boolean isFull(String client) {
    Share share = shares.get(client);
    return inHandling.size() >= maxKeys
        || share != null
            && share.inHandling >= Math.max(1, maxKeys / shares.size())
            && answered.size() + inHandling.size() >= maxKeys;
  }

  private Share share(String client) {
    return shares.computeIfAbsent(client, first -> new Share());
  }

  private void dropIfEmpty(String client) {
    if (shares.get(client).size() == 0) {
      shares.remove(client);
    }
  }

  /**
   * Tells all who wait. If another request of the key is under way, a failure is told to its sender
   * alone, and a failure that is kept to nobody yet: the other one may still be handled. A failure
   * is told to all and kept only if each request of the key that was under way ended so.
   *
   * @param sender the listener of the request that was sent
   * @param keep false if nobody knows that the request was handled: a repeat is then a first again
   */
  public void complete(Key key, Consumer<Answer> sender, Answer answer, boolean keep, long nowMs) {
    Answer outcome;
    List<Consumer<Answer>> told;
    synchronized (this) {
      Entry entry = inHandling.get(key);
      if (entry == null || !entry.sent.remove(sender)) {
        // Another one was answered.
        return;
      }
      boolean failed = answer.status() >= FAILURE;
      if (failed && !keep) {
        entry.unsure = answer;
      }
      outcome = failed && entry.unsure != null ? entry.unsure : answer;
      if (!failed || entry.sent.isEmpty()) {
        told = end(key, entry, outcome, keep && outcome == answer, nowMs);
      } else {
        told = !keep && entry.waiting.remove(sender) ? List.of(sender) : List.of();
      }
    }
    told.forEach(listener -> listener.accept(outcome));
  }

  /** Returns who waits. */
  private List<Consumer<Answer>> end(
      Key key, Entry entry, Answer answer, boolean keep, long nowMs) {
    inHandling.remove(key);
    share(key.client).inHandling--;
    List<Consumer<Answer>> told = entry.waiting;
    if (keep && answer.memoryBytes() <= maxBytes) {
      entry.waiting = null;
      entry.sent = null;
      entry.unsure = null;
      entry.answer = answer;
      entry.doneAtMs = nowMs;
      remember(key, entry);
    }
    dropIfEmpty(key.client);
    forget(nowMs);
    makeRoom(key.client);
    return told;
  }

  /** A listener that waits for the first no more is not told, and takes no room of others. */
  public synchronized void leave(Key key, Consumer<Answer> listener) {
    Entry first = inHandling.get(key);
    if (first != null) {
      first.waiting.remove(listener);
    }
  }

  private void remember(Key key, Entry entry) {
    answered.put(key, entry);
    Share share = share(key.client);
    share.keys.add(key);
    share.bytes += entry.memoryBytes(key);
    bytes += entry.memoryBytes(key);
  }

  /** Removes entries that are too old. */
  private void forget(long nowMs) {
    while (!answered.isEmpty()) {
      Map.Entry<Key, Entry> oldest = answered.entrySet().iterator().next();
      if (nowMs - oldest.getValue().doneAtMs < windowMs) {
        return;
      }
      forgetOldest(oldest.getKey().client);
    }
  }

  /**
   * Forgets answers while there are too many. The client that has one more loses its own, if it has
   * more than an equal part of the room: no client pushes out the answers of others.
   */
  private void makeRoom(String client) {
    while (!answered.isEmpty()
        && (bytes > maxBytes || answered.size() + inHandling.size() > maxKeys)) {
      Share share = shares.get(client);
      boolean large =
          share != null
              && !share.keys.isEmpty()
              && (share.size() > maxKeys / shares.size() || share.bytes > maxBytes / shares.size());
      forgetOldest(large ? client : answered.keySet().iterator().next().client);
    }
  }

  /** The oldest answer of a client, which has one. */
  private void forgetOldest(String client) {
    Share share = shares.get(client);
    Key key = share.keys.poll();
    int freed = answered.remove(key).memoryBytes(key);
    share.bytes -= freed;
    bytes -= freed;
    dropIfEmpty(client);
  }
}
