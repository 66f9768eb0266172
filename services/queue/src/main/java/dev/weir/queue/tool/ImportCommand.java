package dev.weir.queue.tool;

import dev.weir.queue.Progress;
import dev.weir.queue.QueueAppender;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.StoredMessage;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds messages from JSON lines. */
@Command(
    name = "import",
    description = {
      "Adds messages from JSON lines.",
      "Adds messages, as export writes them, after those that the queue holds. An absent or empty"
          + " directory becomes a store. The messages get new sequences and keep their deliveries."
          + " They are forced to the device before the command ends. Transient messages are not"
          + " imported.",
      "The import stops at the first invalid line and names it, and at the first one for which"
          + " the disk has no room. The lines before it are imported; that line and the lines after"
          + " it are not."
    })
final class ImportCommand extends DirectoryCommand {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "JSON lines; standard input by default.")
  private Path input;

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description = "Put all into this queue; by default each into the one its line names.")
  private String queue;

  @Option(
      names = "--min-free-bytes",
      paramLabel = "BYTES",
      defaultValue = "" + QueueStoreOptions.DEFAULT_MIN_FREE_BYTES,
      description =
          "Free space of the disk that is left, as the store's option minFreeBytes; by default"
              + " ${DEFAULT-VALUE}.")
  private long minFreeBytes;

  private final Map<String, QueueAppender> appenders = new HashMap<>();
  private long imported;
  private long leftOut;
  private String invalid;
  private boolean isFull;

  @Override
  public Integer call() throws IOException {
    if (input == null) {
      return read(tool.in(), -1);
    }
    // Before a directory is made.
    try (InputStream in = Files.newInputStream(input)) {
      return read(in, Files.size(input));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("FILE is " + input + ", which does not exist", e);
    }
  }

  private int read(InputStream in, long totalBytes) throws IOException {
    try (QueueMaintenance opened = QueueMaintenance.create(directory, minFreeBytes);
        ProgressLine progress = tool.progress("import")) {
      InputStream counted = new CountedInput(in, totalBytes, progress);
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(counted, StandardCharsets.UTF_8.newDecoder()));
      readLines(opened, lines);
      appenders.values().forEach(QueueAppender::commit);
    }
    report();
    return isFull ? ExitCodes.UNUSABLE : invalid == null ? ExitCodes.OK : ExitCodes.FOUND;
  }

  private void readLines(QueueMaintenance opened, BufferedReader lines) throws IOException {
    for (long number = 1; ; number++) {
      try {
        String line = lines.readLine();
        if (line == null) {
          return;
        }
        if (!line.isBlank()) {
          add(opened, MessageParser.parse(line, queue));
        }
      } catch (CharacterCodingException e) {
        // The reader decodes ahead of the current line.
        invalid = "line " + number + " or a later one is not UTF-8";
        return;
      } catch (IllegalArgumentException e) {
        invalid = "line " + number + ": " + e.getMessage();
        return;
      } catch (QueueException e) {
        if (e.reason() != Reason.DISK_FULL) {
          throw e;
        }
        invalid = "line " + number + ": " + e.getMessage();
        isFull = true;
        return;
      }
    }
  }

  private void add(QueueMaintenance opened, StoredMessage message) {
    if (message.isTransient()) {
      leftOut++;
      return;
    }
    appenders.computeIfAbsent(message.queue(), opened::appender).add(message);
    imported++;
  }

  /** Tells how much was read. */
  private static final class CountedInput extends FilterInputStream {
    private final long totalBytes;
    private final Progress progress;
    private long bytes;

    CountedInput(InputStream in, long totalBytes, Progress progress) {
      super(in);
      this.totalBytes = totalBytes;
      this.progress = progress;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = in.read(into, offset, length);
      bytes += Math.max(0, read);
      progress.bytes(bytes, totalBytes);
      return read;
    }
  }

  private void report() throws IOException {
    if (invalid != null) {
      tool.say(invalid + "; this line and all lines after it are not imported");
    }
    String without = leftOut == 0 ? "" : ", without " + leftOut + " transient messages";
    answer(
        "imported " + imported + " messages" + without, "imported", imported, "leftOut", leftOut);
  }
}
