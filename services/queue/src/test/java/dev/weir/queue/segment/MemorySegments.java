package dev.weir.queue.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Segments in memory. They outlive those who use them; {@link #losePower} takes what is unforced.
 */
public final class MemorySegments implements SegmentFiles {
  private final Map<Integer, Content> contents = new TreeMap<>();

  /** Whether a write of so many bytes fails. */
  private IntPredicate writeFails = bytes -> false;

  /** Whether a sync fails. */
  public boolean syncFails;

  private int syncs;

  private static final class Content {
    private byte[] bytes = {};

    /** What is on the device. */
    private byte[] forced = {};

    private boolean named;
  }

  /** Decides which writes fail. */
  public void failWrites(IntPredicate fails) {
    writeFails = fails;
  }

  /** Only what was forced is left. */
  public void losePower() {
    contents.values().removeIf(content -> !content.named);
    contents.values().forEach(each -> each.bytes = each.forced.clone());
  }

  public long bytes() {
    return contents.values().stream().mapToLong(content -> content.bytes.length).sum();
  }

  int syncs() {
    return syncs;
  }

  void flip(int number, int at) {
    contents.get(number).bytes[at] ^= 1;
  }

  @Override
  public Map<Integer, Long> sizes() {
    Map<Integer, Long> sizes = new TreeMap<>();
    contents.forEach((number, content) -> sizes.put(number, (long) content.bytes.length));
    return sizes;
  }

  @Override
  public SegmentFile create(int number) throws IOException {
    if (contents.putIfAbsent(number, new Content()) != null) {
      throw new FileAlreadyExistsException(SegmentDirectory.name(number));
    }
    return open(number);
  }

  @Override
  public SegmentFile open(int number) throws IOException {
    Content content = contents.get(number);
    if (content == null) {
      throw new NoSuchFileException(SegmentDirectory.name(number));
    }
    return new Opened(content);
  }

  @Override
  public SegmentFile rename(int from, int to) throws IOException {
    if (contents.containsKey(to)) {
      throw new FileAlreadyExistsException(SegmentDirectory.name(to));
    }
    Content content = contents.remove(from);
    content.named = false;
    contents.put(to, content);
    return open(to);
  }

  @Override
  public void delete(int number) {
    contents.remove(number);
  }

  @Override
  public void putAway(int number) {
    delete(number);
  }

  @Override
  public void forceNames() {
    contents.values().forEach(content -> content.named = true);
  }

  private final class Opened implements SegmentFile {
    private final Content content;

    Opened(Content content) {
      this.content = content;
    }

    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      if (writeFails.test(from.remaining())) {
        throw new IOException("write failed");
      }
      int end = (int) at + from.remaining();
      if (end > content.bytes.length) {
        content.bytes = Arrays.copyOf(content.bytes, end);
      }
      from.get(content.bytes, (int) at, from.remaining());
    }

    @Override
    public boolean read(ByteBuffer into, long at) {
      int length = Math.min(into.remaining(), content.bytes.length - (int) at);
      into.put(content.bytes, (int) at, Math.max(0, length));
      return !into.hasRemaining();
    }

    @Override
    public void force() throws IOException {
      if (syncFails) {
        throw new IOException("sync failed");
      }
      syncs++;
      content.forced = content.bytes.clone();
    }

    @Override
    public void close() {}
  }
}
