package dev.weir.queue.tool;

import dev.weir.queue.DamagedPacket;
import dev.weir.queue.MessageVisitor;
import dev.weir.queue.Progress;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueSummary;
import dev.weir.queue.StoredMessage;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes messages as JSON lines. */
@Command(
    name = "export",
    description = {
      "Writes messages as JSON lines.",
      "Writes the messages of one or all queues: waiting messages in order, then scheduled"
          + " messages, then dead letters. Each line is a JSON object with all that import needs;"
          + " the body is in base64. A record that cannot be read is named and left out, and the"
          + " exit code is 1."
    })
final class ExportCommand extends DirectoryCommand {
  private static final int BUFFER_BYTES = 1 << 16;

  /** After so many messages the command checks whether standard output is still read. */
  static final int LOOK_EVERY = 1000;

  @ArgGroup(multiplicity = "1")
  private QueueChoice choice;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Write this file, which must not exist; standard output by default.")
  private Path output;

  @Option(names = "--text", description = "Add the body as text where it is printable UTF-8.")
  private boolean withText;

  @Option(
      names = "--with-transient",
      description = "Export transient messages too: requests whose requester is gone.")
  private boolean withTransient;

  @Mixin private MessageFilter filter;

  @Override
  public Integer call() throws IOException {
    try (QueueDirectory opened = QueueDirectory.open(directory)) {
      return output == null ? toStandardOutput(opened) : toFile(opened);
    }
  }

  private int toStandardOutput(QueueDirectory opened) throws IOException {
    try (Json out = new Json(tool.out())) {
      return export(opened, out);
    }
  }

  private int toFile(QueueDirectory opened) throws IOException {
    choice.of(opened.queues()).forEach(opened::summary);
    try {
      Files.createFile(output);
    } catch (FileAlreadyExistsException e) {
      throw new IllegalArgumentException("--output is " + output + ", which exists already", e);
    }
    try (FileOutputStream file = new FileOutputStream(output.toFile());
        BufferedOutputStream buffered = new BufferedOutputStream(file, BUFFER_BYTES);
        Json out = new Json(buffered)) {
      int exitCode = export(opened, out);
      out.flush();
      file.getFD().sync();
      return exitCode;
    }
  }

  private int export(QueueDirectory opened, Json out) throws IOException {
    Lines lines;
    try (ProgressLine progress = tool.progress("export")) {
      List<String> queues = choice.of(opened.queues());
      lines = new Lines(out, progress, queues.stream().map(opened::summary).toList());
      for (String queue : queues) {
        opened.read(queue, lines);
        opened.readDead(queue, lines);
      }
    }
    boolean damaged = lines.damaged | sayDamage(opened);
    out.flush();
    if (output != null || !tool.out().checkError()) {
      // Nobody has read all of them otherwise.
      tool.say("exported " + lines.written + " messages" + lines.left());
    }
    return damaged ? ExitCodes.FOUND : ExitCodes.OK;
  }

  /** Says what of the log is damaged, and what may be lost; false if nothing is. */
  private boolean sayDamage(QueueDirectory opened) {
    if (opened.damage() == null) {
      return false;
    }
    tool.say(opened.damage());
    opened.verify().lost().forEach(lost -> tool.say(VerifyText.of(lost)));
    return true;
  }

  private final class Lines implements MessageVisitor {
    private final Json out;
    private final Progress progress;
    private final long total;
    private long read;
    private long written;
    private long transients;
    private boolean damaged;

    Lines(Json out, Progress progress, List<QueueSummary> queues) {
      this.out = out;
      this.progress = progress;
      this.total = queues.stream().mapToLong(QueueSummary::messages).sum();
    }

    @Override
    public boolean message(StoredMessage message) {
      progress.messages(++read, total);
      if (!filter.test(message)) {
        return true;
      }
      if (message.isTransient() && !withTransient) {
        transients++;
        return true;
      }
      try {
        out.start();
        MessageField.write(out, message, withText);
        out.end();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      written++;
      boolean look = output == null && written % LOOK_EVERY == 0;
      return !look || !tool.out().checkError();
    }

    @Override
    public void damaged(DamagedPacket packet) {
      damaged = true;
      tool.say(VerifyText.of(packet));
    }

    String left() {
      return transients == 0 ? "" : ", without " + transients + " transient messages";
    }
  }
}
