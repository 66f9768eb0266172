package dev.weir.gateway.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The answers to the last requests that came with a key, so that a repeated one is not handled
 * again: bounded in number, bytes and time, in memory only. A repeat while the first is in handling
 * waits for the same answer. Any thread.
 */
public final class IdempotencyWindow {

  /** What a request with a key meets. */
  public enum Meets {
    /** Nothing: it is the first; {@link #complete} must follow. */
    NOTHING,
    /** The first in handling or its answer: the listener is told. */
    THE_FIRST,
    /** Another request under the same key. */
    ANOTHER,
    /** No room: as many as are kept are in handling. */
    NO_ROOM
  }

  /**
   * @param client the client's name: no client gets the reply to another
   * @param address the service
   * @param key what the client sent
   */
  public record Key(String client, String address, String key) {}

  private static final class Entry {
    final String fingerprint;
    List<Consumer<Answer>> waiting = new ArrayList<>(1);
    Answer answer;
    long doneAtMs;

    Entry(String fingerprint) {
      this.fingerprint = fingerprint;
    }
  }

  private final int maxKeys;
  private final long maxBytes;
  private final long windowMs;
  private final Map<Key, Entry> inHandling = new LinkedHashMap<>();

  /** The oldest first. */
  private final LinkedHashMap<Key, Entry> answered = new LinkedHashMap<>();

  private long bytes;

  public IdempotencyWindow(int maxKeys, long maxBytes, long windowMs) {
    this.maxKeys = maxKeys;
    this.maxBytes = maxBytes;
    this.windowMs = windowMs;
  }

  /**
   * @param fingerprint of what is asked, the same for the same request
   * @param listener told once if this meets nothing or the first, maybe before this returns
   */
  public Meets claim(Key key, String fingerprint, long nowMs, Consumer<Answer> listener) {
    Answer answer;
    synchronized (this) {
      forget(nowMs);
      Entry first = answered.get(key);
      first = first == null ? inHandling.get(key) : first;
      if (first != null && !first.fingerprint.equals(fingerprint)) {
        return Meets.ANOTHER;
      }
      if (first == null && inHandling.size() >= maxKeys) {
        return Meets.NO_ROOM;
      }
      if (first == null || first.answer == null) {
        return wait(key, first, fingerprint, listener);
      }
      answer = first.answer;
    }
    listener.accept(answer);
    return Meets.THE_FIRST;
  }

  private Meets wait(Key key, Entry first, String fingerprint, Consumer<Answer> listener) {
    Entry entry = first == null ? new Entry(fingerprint) : first;
    entry.waiting.add(listener);
    if (first != null) {
      return Meets.THE_FIRST;
    }
    inHandling.put(key, entry);
    return Meets.NOTHING;
  }

  /**
   * Tells all who wait.
   *
   * @param keep false if the request was not handled: a repeat is then a first again
   */
  public void complete(Key key, Answer answer, boolean keep, long nowMs) {
    List<Consumer<Answer>> told;
    synchronized (this) {
      Entry entry = inHandling.remove(key);
      told = entry.waiting;
      if (keep && answer.memoryBytes() <= maxBytes) {
        entry.waiting = null;
        entry.answer = answer;
        entry.doneAtMs = nowMs;
        answered.put(key, entry);
        bytes += answer.memoryBytes();
      }
      forget(nowMs);
    }
    told.forEach(listener -> listener.accept(answer));
  }

  private void forget(long nowMs) {
    Iterator<Entry> oldest = answered.values().iterator();
    while (oldest.hasNext()) {
      Entry entry = oldest.next();
      boolean tooMany = bytes > maxBytes || answered.size() + inHandling.size() > maxKeys;
      if (!tooMany && nowMs - entry.doneAtMs < windowMs) {
        return;
      }
      bytes -= entry.answer.memoryBytes();
      oldest.remove();
    }
  }
}
