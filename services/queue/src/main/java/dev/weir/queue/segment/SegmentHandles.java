package dev.weir.queue.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open files of segments. Files that are not used for long are closed. Any thread. */
final class SegmentHandles {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentHandles.class);
  private static final int MAX_OPEN = 128;
  private static final int REWRITE_BYTES = 1 << 20;

  private final SegmentFiles files;

  /** In the order of their use, but for those that are appended to. */
  private final Map<Integer, Segment> open = new LinkedHashMap<>(16, 0.75f, true);

  SegmentHandles(SegmentFiles files) {
    this.files = files;
  }

  /**
   * Creates the file of a segment, which stays open until it is appended to no more.
   *
   * @param spare null to create a new file
   */
  synchronized void create(Segment segment, SegmentFile spare) throws IOException {
    segment.file = spare != null ? spare : files.create(segment.number);
    segment.isHead = true;
  }

  /** Nothing more is appended to a segment. */
  synchronized void isHeadNoMore(Segment segment) {
    segment.isHead = false;
    open.put(segment.number, segment);
    closeOldest();
  }

  /** Reads a record; null if the segment ends before. */
  ByteBuffer read(Segment segment, SegmentReference reference, IntFunction<ByteBuffer> room)
      throws IOException {
    if (!use(segment)) {
      return null;
    }
    try {
      ByteBuffer into = room.apply(reference.length()).clear().limit(reference.length());
      return segment.file.read(into, reference.offset()) ? into.flip() : null;
    } finally {
      endUse(segment);
    }
  }

  /** Forces a segment to the device; false if it is deleted. */
  boolean force(Segment segment) throws IOException {
    if (!use(segment)) {
      return false;
    }
    try {
      segment.file.force();
      return true;
    } finally {
      endUse(segment);
    }
  }

  /**
   * Writes a segment once more, as long as the system still has what a failed sync may have lost,
   * and forces it to the device.
   */
  void rewrite(Segment segment) throws IOException {
    use(segment);
    try {
      ByteBuffer part = ByteBuffer.allocate(REWRITE_BYTES);
      for (long at = 0; at < segment.size; at += part.limit()) {
        part.clear().limit((int) Math.min(part.capacity(), segment.size - at));
        if (segment.file.read(part, at)) {
          segment.file.write(part.flip(), at);
        }
      }
      segment.file.force();
    } finally {
      endUse(segment);
    }
  }

  private synchronized boolean use(Segment segment) throws IOException {
    if (segment.gone) {
      return false;
    }
    if (segment.file == null) {
      segment.file = files.open(segment.number);
    }
    segment.users++;
    if (!segment.isHead) {
      open.put(segment.number, segment);
      closeOldest();
    }
    return true;
  }

  private synchronized void endUse(Segment segment) {
    if (--segment.users == 0 && segment.gone) {
      closeFile(segment);
    }
  }

  /** Closes a segment for good, once nobody uses it; false if somebody does. */
  synchronized boolean close(Segment segment) {
    segment.gone = true;
    open.remove(segment.number, segment);
    if (segment.users > 0) {
      return false;
    }
    closeFile(segment);
    return true;
  }

  private void closeOldest() {
    Iterator<Segment> oldest = open.values().iterator();
    for (int over = open.size() - MAX_OPEN; over > 0 && oldest.hasNext(); over--) {
      Segment segment = oldest.next();
      if (segment.users == 0) {
        closeFile(segment);
        oldest.remove();
      }
    }
  }

  private static void closeFile(Segment segment) {
    SegmentFile file = segment.file;
    segment.file = null;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        LOG.debug("closing segment {}", segment.number, e);
      }
    }
  }
}
