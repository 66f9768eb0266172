package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.store.StoredQueue;
import dev.weir.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fails a test that leaves a store open: its threads, its file descriptors, its files. */
@Timeout(600)
public abstract class QueueTestBase {
  public static final LossListener NO_LOSSES = (attachment, reason) -> {};

  static {
    QuietLog.set();
  }

  @TempDir public Path directory;

  private final List<DurableQueue<?>> opened = new ArrayList<>();

  @AfterEach
  public void nothingIsLeft() {
    opened.forEach(queue -> ((StoredQueue<?>) queue).check());
    Await.until("threads end: " + threads(), () -> threads().isEmpty());
    assertThat(openFiles()).as("open files").isEmpty();
    assertThat(QuietLog.takeErrors()).as("errors of store threads").isEmpty();
  }

  public static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir-queue-"))
        .toList();
  }

  private List<Path> openFiles() {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        if (Files.isSymbolicLink(descriptor)) {
          open.add(Files.readSymbolicLink(descriptor));
        }
      }
    } catch (IOException e) {
      // Not Linux, or a descriptor that was closed meanwhile: nothing to look at.
      return List.of();
    }
    open.removeIf(path -> !path.startsWith(directory.toAbsolutePath()));
    return open;
  }

  public QueueStoreOptions storeOptions() {
    return new QueueStoreOptions(directory).setMinFreeBytes(1 << 20).setLogFileBytes(1 << 20);
  }

  public QueueStore openStore() {
    return QueueStore.open(storeOptions());
  }

  public DurableQueue<String> openQueue(QueueStore store) {
    return openQueue(store, new QueueOptions());
  }

  public DurableQueue<String> openQueue(QueueStore store, QueueOptions options) {
    return openQueue(store, "q", options, NO_LOSSES);
  }

  public DurableQueue<String> openQueue(
      QueueStore store, String name, QueueOptions options, LossListener losses) {
    DurableQueue<String> queue = store.queue(name, new TextSerde(), options, losses);
    opened.add(queue);
    return queue;
  }

  public static Outcome append(DurableQueue<String> queue, String message) {
    Outcome outcome = new Outcome();
    queue.append(message, Durability.PROCESS, outcome);
    return outcome;
  }

  public static List<Outcome> append(DurableQueue<String> queue, List<String> messages) {
    return messages.stream().map(message -> append(queue, message)).toList();
  }

  public static void appendAll(DurableQueue<String> queue, List<String> messages) {
    append(queue, messages).forEach(outcome -> assertThat(outcome.await().failure()).isNull());
  }

  /** Texts of a given length whose beginning is their number. */
  public static List<String> texts(int from, int to, int length) {
    List<String> texts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      texts.add(text(i, length));
    }
    return texts;
  }

  public static String text(int number, int length) {
    String start = number + ":";
    return start + "x".repeat(Math.max(0, length - start.length()));
  }

  public static long sizeOf(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static final class TextSerde implements Serde<String> {
    /** Messages that begin so cannot be written, or not be read. */
    static final String UNWRITABLE = "unwritable";

    static final String UNREADABLE = "unreadable";

    static final String TOO_SHORT = "too short";

    @Override
    public int sizeBytes(String message) {
      return message.length();
    }

    @Override
    @SuppressWarnings("deprecation")
    public void write(String message, ByteBuffer out) {
      if (message.startsWith(UNWRITABLE)) {
        throw new IllegalStateException(message);
      }
      byte[] bytes = new byte[message.length() - (message.startsWith(TOO_SHORT) ? 1 : 0)];
      message.getBytes(0, bytes.length, bytes, 0);
      out.put(bytes);
    }

    @Override
    @SuppressWarnings("deprecation")
    public String read(ByteBuffer in) {
      String message = new String(in.array(), 0, in.arrayOffset() + in.position(), in.remaining());
      if (message.startsWith(UNREADABLE)) {
        throw new StackOverflowError(message);
      }
      return message;
    }
  }
}
