package dev.weir.queue.segment;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Forces segments to the device, and writes once more what a failed sync may have lost. */
final class SegmentSync {
  private final SegmentFiles files;
  private final SegmentHandles opened;

  /** Segments that a sync has failed for; the system may take lost pages for written. */
  private final Set<Integer> doubtful = new HashSet<>();

  /** True if names of segments may not be on the device. */
  private boolean newNames = true;

  SegmentSync(SegmentFiles files, SegmentHandles opened) {
    this.files = files;
    this.opened = opened;
  }

  /** A segment was created. */
  synchronized void created() {
    newNames = true;
  }

  private synchronized boolean takeNewNames() {
    boolean taken = newNames;
    newNames = false;
    return taken;
  }

  /** Forces those that are of use after a restart, as far as they are written now. */
  void force(Collection<Segment> segments) throws IOException {
    refuseDoubtful();
    List<Segment> unforced =
        segments.stream().filter(each -> each.keeps && each.forced < each.size).toList();
    boolean names = segments.stream().anyMatch(each -> each.keeps) && takeNewNames();
    try {
      for (Segment segment : unforced) {
        force(segment);
      }
      if (names) {
        files.forceNames();
      }
    } catch (IOException e) {
      if (names) {
        created();
      }
      throw e;
    }
  }

  /** After a failed sync the next one succeeds, though pages are lost. */
  private synchronized void refuseDoubtful() throws IOException {
    if (!doubtful.isEmpty()) {
      throw new IOException("an earlier sync of a segment has failed");
    }
  }

  private void force(Segment segment) throws IOException {
    long written = segment.size;
    try {
      if (opened.force(segment)) {
        segment.forced = written;
      }
    } catch (IOException e) {
      synchronized (this) {
        doubtful.add(segment.number);
      }
      throw e;
    }
  }

  /**
   * Writes segments once more for which a sync has failed.
   *
   * @param segments all segments, the newest first
   * @param newest so many of the first are written in any case
   */
  void rewrite(Collection<Segment> segments, int newest) throws IOException {
    int left = newest;
    for (Segment segment : segments) {
      if (left-- > 0 || isDoubtful(segment.number)) {
        opened.rewrite(segment);
        segment.forced = segment.size;
      }
    }
    synchronized (this) {
      doubtful.clear();
    }
    created();
  }

  private synchronized boolean isDoubtful(int number) {
    return doubtful.contains(number);
  }
}
