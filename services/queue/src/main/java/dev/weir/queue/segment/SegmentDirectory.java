package dev.weir.queue.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Segments as files of a directory: {@code 000001.seg} and so on. */
public final class SegmentDirectory implements SegmentFiles {
  /** What is done before a segment is created. */
  public interface BeforeCreate {
    void run() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(SegmentDirectory.class);
  private static final String SUFFIX = ".seg";
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{6}\\.seg");

  private final Path directory;
  private final Path damaged;
  private final BeforeCreate beforeCreate;

  /**
   * The segments of a directory, which are written too.
   *
   * @param damaged the directory for what is put away; created if it is absent
   */
  public SegmentDirectory(Path directory, Path damaged, BeforeCreate beforeCreate) {
    this.directory = directory;
    this.damaged = damaged;
    this.beforeCreate = beforeCreate;
  }

  /** The segments of a directory, which are only read. */
  public SegmentDirectory(Path directory) {
    this(directory, null, null);
  }

  /** The segments of a directory in the order of their numbers. */
  public static List<Path> of(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> isSegment(file.getFileName().toString())).sorted().toList();
    }
  }

  public static boolean isSegment(String name) {
    return name.endsWith(SUFFIX) && NAME.matcher(name).matches();
  }

  /** The name of a segment's file. */
  public static String name(int number) {
    return String.format("%06x%s", number, SUFFIX);
  }

  private Path path(int number) {
    return directory.resolve(name(number));
  }

  @Override
  public Map<Integer, Long> sizes() throws IOException {
    Map<Integer, Long> sizes = new TreeMap<>();
    for (Path file : of(directory)) {
      String number = file.getFileName().toString().substring(0, 6);
      sizes.put(Integer.parseInt(number, 16), Files.size(file));
    }
    return sizes;
  }

  @Override
  public SegmentFile create(int number) throws IOException {
    beforeCreate.run();
    return new Opened(
        FileChannel.open(
            path(number),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  @Override
  public SegmentFile open(int number) throws IOException {
    return new Opened(
        beforeCreate == null
            ? FileChannel.open(path(number), StandardOpenOption.READ)
            : FileChannel.open(path(number), StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public SegmentFile rename(int from, int to) throws IOException {
    Path target = path(to);
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    Files.move(path(from), target, StandardCopyOption.ATOMIC_MOVE);
    return open(to);
  }

  @Override
  public void delete(int number) throws IOException {
    Files.deleteIfExists(path(number));
  }

  @Override
  public void putAway(int number) throws IOException {
    if (Files.size(path(number)) == 0) {
      delete(number);
      return;
    }
    Files.createDirectories(damaged);
    Path to = damaged.resolve(name(number));
    for (int i = 1; Files.exists(to); i++) {
      // An earlier segment of this number.
      to = damaged.resolve(name(number) + "." + i);
    }
    Files.move(path(number), to, StandardCopyOption.ATOMIC_MOVE);
    LOG.error("what refers to {} may be lost: it is kept as {}", name(number), to);
  }

  @Override
  public void forceNames() throws IOException {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  private record Opened(FileChannel channel) implements SegmentFile {
    @Override
    public void write(ByteBuffer bytes, long at) throws IOException {
      long to = at;
      while (bytes.hasRemaining()) {
        to += channel.write(bytes, to);
      }
    }

    @Override
    public boolean read(ByteBuffer into, long at) throws IOException {
      long from = at;
      while (into.hasRemaining()) {
        int count = channel.read(into, from);
        if (count < 0) {
          return false;
        }
        from += count;
      }
      return true;
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
