package dev.weir.queue.segment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of a store. One thread appends; any thread reads, forces and deletes.
 *
 * <p>Each owner, a queue, has segments of its own, so that a queue that nobody consumes does not
 * keep the segments of another. A record is written before the transaction with its reference
 * commits. How many records of a segment are referred to is counted, and never too low: a record
 * counts from before it is written until the deletion of its reference is committed. What a failure
 * leaves uncertain stays counted until {@link #begin} counts anew.
 *
 * <p>A segment without records is deleted in two steps. {@link #takeEmpty} chooses it; the caller
 * forces the deletions of its references to the device; then {@link #delete} removes the file. So a
 * reference that comes back after a loss of power always finds its segment.
 */
public final class Segments implements AutoCloseable {
  /** The largest number of a segment. */
  public static final int MAX_NUMBER = (1 << 24) - 1;

  private static final Logger LOG = LoggerFactory.getLogger(Segments.class);
  private static final int MAX_HEADS = 256;

  /** After a crash so many of the newest segments are written once more. */
  private static final int REWRITTEN = 2;

  /** An empty segment that is appended to is given up when it has so many bytes. */
  private static final long MIN_FULL_BYTES = 1 << 20;

  private final SegmentFiles files;
  private final SegmentHandles opened;
  private final SegmentSync sync;
  private final SpareFiles spares;
  private final long segmentBytes;
  private final SegmentTable segments = new SegmentTable();
  private final Map<String, Segment> heads = new LinkedHashMap<>(16, 0.75f, true);

  /** Held while files are deleted. */
  private final Object deleting = new Object();

  private int holds;
  private boolean begun;
  private boolean usable;

  /** Segments that nothing refers to. */
  private int empty;

  /** True if the last write has failed. */
  private boolean failed;

  /** Segments that are full at a size of {@code segmentBytes}. */
  public Segments(SegmentFiles files, long segmentBytes) {
    this.files = files;
    this.opened = new SegmentHandles(files);
    this.sync = new SegmentSync(files, opened);
    this.spares = new SpareFiles(files);
    this.segmentBytes = segmentBytes;
  }

  // ---- beginning

  /**
   * Begins with what is there. The log with the references is on the device as it was read, so
   * segments without records are deleted, unless references may be lost. What a failed sync may
   * have lost is written once more.
   *
   * @param references how many records refer to each segment
   * @param certain true if the last user has closed the segments in order
   * @param complete false if references may be lost; segments without records are then put away
   */
  public synchronized void begin(Map<Integer, Long> references, boolean certain, boolean complete) {
    try {
      Map<Integer, Segment> before = segments.copy();
      close();
      segments.clear(references.keySet());
      spares.forget();
      failed = false;
      for (Map.Entry<Integer, Long> found : files.sizes().entrySet()) {
        int number = found.getKey();
        segments.saw(number);
        long live = references.getOrDefault(number, 0L);
        if (live == 0) {
          files.drop(number, complete);
          continue;
        }
        Segment known = before.get(number);
        long forced = begun ? known == null ? 0 : known.forced : certain ? found.getValue() : 0;
        segments.add(number, found.getValue(), live).forced = forced;
      }
      sync.rewrite(segments.newestFirst(), begun || certain ? 0 : REWRITTEN);
      begun = true;
      usable = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    segments.nameMissing(references.keySet());
  }

  /** Begins to read only. */
  public synchronized void beginReading() {
    try {
      files.sizes().forEach((number, size) -> segments.add(number, size, 1));
      usable = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- writing

  /**
   * Appends a record, which counts as referred to from now on.
   *
   * @param keeps true if it is of use after a restart
   * @param mostBytes size at which a segment of this owner is full, if others may be larger
   * @throws UncheckedIOException if it cannot be written; the record does not count then
   */
  public SegmentReference append(
      String owner, ByteBuffer recordBytes, boolean keeps, long mostBytes) {
    Segment head = head(owner, mostBytes);
    long at = head.size;
    int length = recordBytes.remaining();
    try {
      head.file.write(recordBytes.duplicate(), at);
    } catch (IOException e) {
      abandon(owner, head);
      throw new UncheckedIOException(e);
    }
    synchronized (this) {
      head.size += length;
      head.live++;
      head.keeps |= keeps;
    }
    return new SegmentReference(head.number, at, length);
  }

  private synchronized Segment head(String owner, long mostBytes) {
    checkUsable();
    Segment head = heads.get(owner);
    if (head != null && head.size < Math.min(segmentBytes, mostBytes)) {
      return head;
    }
    if (head != null) {
      endHead(owner);
    } else if (heads.size() >= MAX_HEADS) {
      endHead(heads.keySet().iterator().next());
    }
    Segment created = segments.next(spares::contains);
    try {
      opened.create(created, holds > 0 ? null : spares.take(created));
    } catch (IOException e) {
      failed = true;
      throw new UncheckedIOException(e);
    }
    sync.created();
    segments.add(created);
    heads.put(owner, created);
    return created;
  }

  private void endHead(String owner) {
    Segment head = heads.remove(owner);
    head.isHead = false;
    empty += head.live == 0 ? 1 : 0;
    opened.isHeadNoMore(head);
  }

  private synchronized void abandon(String owner, Segment head) {
    failed = true;
    if (heads.get(owner) == head) {
      endHead(owner);
    }
  }

  /**
   * After a write that has failed: tries whether a segment can be written again.
   *
   * @throws UncheckedIOException if not
   */
  public void probe() {
    synchronized (this) {
      if (!failed) {
        return;
      }
    }
    String owner = "";
    SegmentReference written = append(owner, ByteBuffer.wrap(new byte[4096]), false, 1);
    synchronized (this) {
      failed = false;
      endHead(owner);
    }
    freed(written.segment(), 1);
  }

  // ---- counting

  /** Called when the deletion of a reference is committed, or its writing undone. */
  public synchronized void freed(int number, long records) {
    Segment segment = segments.get(number);
    if (segment == null || segment.live == 0) {
      return;
    }
    segment.live = Math.max(0, segment.live - records);
    if (segment.live == 0 && !segment.isHead) {
      empty++;
    }
  }

  // ---- reading

  /**
   * Reads a record; null if it is not there.
   *
   * @param room gives a buffer of at least so many bytes
   */
  public ByteBuffer read(SegmentReference reference, IntFunction<ByteBuffer> room) {
    Segment segment;
    synchronized (this) {
      checkUsable();
      segment = segments.get(reference.segment());
      boolean isInside =
          segment != null
              && reference.offset() >= 0
              && reference.length() >= 0
              && reference.offset() + reference.length() <= segment.size;
      if (!isInside) {
        return null;
      }
    }
    try {
      return opened.read(segment, reference, room);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void checkUsable() {
    if (!usable) {
      throw new IllegalStateException("the segments are closed");
    }
  }

  // ---- forcing

  /**
   * Returns once all that was appended is on the device, but for segments with only records that
   * are of no use after a restart.
   */
  public void force() throws IOException {
    List<Segment> all;
    synchronized (this) {
      all = List.copyOf(segments.all());
    }
    sync.force(all);
  }

  // ---- deleting

  /** How many segments could be deleted; any thread. */
  public synchronized int emptyCount() {
    int count = empty;
    for (Segment head : heads.values()) {
      count += isUsedUp(head) ? 1 : 0;
    }
    return holds == 0 ? count : 0;
  }

  private static boolean isUsedUp(Segment head) {
    return head.live == 0 && head.size >= MIN_FULL_BYTES;
  }

  /** Takes the segments that can be deleted; for {@link #delete} or {@link #giveBack}. */
  public synchronized List<Segment> takeEmpty() {
    if (holds > 0) {
      return List.of();
    }
    heads.entrySet().stream()
        .filter(head -> isUsedUp(head.getValue()))
        .map(Map.Entry::getKey)
        .toList()
        .forEach(this::endHead);
    List<Segment> taken = empty > 0 ? segments.takeUnused() : List.of();
    empty = 0;
    return taken;
  }

  /** Keeps segments that were taken. */
  public synchronized void giveBack(Collection<Segment> taken) {
    for (Segment segment : taken) {
      if (segments.get(segment.number) == segment) {
        segment.leaving = false;
        empty++;
      }
    }
  }

  /**
   * Deletes segments that were taken; the deletions of all references are on the device.
   *
   * @param spareBytes size of the files that may be kept to make new segments of
   */
  public void delete(Collection<Segment> taken, long spareBytes) {
    synchronized (deleting) {
      for (Segment segment : taken) {
        try {
          delete(segment, spareBytes);
        } catch (IOException e) {
          LOG.warn("{} stays: {}", SegmentDirectory.name(segment.number), e.toString());
        }
      }
    }
  }

  private void delete(Segment segment, long spareBytes) throws IOException {
    synchronized (this) {
      if (segments.get(segment.number) != segment || segment.live > 0) {
        return;
      }
      if (holds > 0) {
        segment.leaving = false;
        empty++;
        return;
      }
      segments.remove(segment.number);
    }
    boolean unused = opened.close(segment);
    synchronized (this) {
      boolean keeps = unused && holds == 0 && segment.size <= 2 * segmentBytes;
      if (keeps && spares.add(segment, spareBytes)) {
        return;
      }
    }
    files.delete(segment.number);
  }

  /** How many files are kept and may be deleted now; any thread. */
  public synchronized int spareCount() {
    return holds == 0 ? spares.count() : 0;
  }

  /**
   * Deletes the files that are kept for new segments.
   *
   * @param idle true to delete them only if none was used since the last call with true
   */
  public void deleteSpares(boolean idle) {
    synchronized (deleting) {
      synchronized (this) {
        if (holds == 0 && (!idle || spares.isIdle())) {
          spares.deleteAll();
        }
      }
    }
  }

  /** Deletes what can be deleted after the closing: the deletions of all references are forced. */
  public void deleteEmpty() {
    List<Segment> taken;
    synchronized (this) {
      taken = segments.all().stream().filter(segment -> segment.live == 0).toList();
    }
    delete(taken, 0);
    deleteSpares(false);
  }

  /** Deletes nothing from now on until {@link #release}. */
  public void hold() {
    synchronized (deleting) {
      synchronized (this) {
        holds++;
      }
    }
  }

  public synchronized void release() {
    holds--;
  }

  /** Closes all files; {@link #begin} may follow. */
  @Override
  public synchronized void close() {
    segments.all().forEach(opened::close);
    heads.clear();
    empty = 0;
    usable = false;
  }
}
