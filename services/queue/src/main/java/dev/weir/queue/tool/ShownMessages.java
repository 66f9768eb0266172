package dev.weir.queue.tool;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.weir.queue.DamagedPacket;
import dev.weir.queue.MessageVisitor;
import dev.weir.queue.StoredMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options and the output of a command that shows messages, one line for each. */
final class ShownMessages {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      defaultValue = "10",
      description = "How many messages; default ${DEFAULT-VALUE}.")
  private long count;

  @Option(
      names = "--body-bytes",
      paramLabel = "N",
      defaultValue = "200",
      description = "How much of each body; default ${DEFAULT-VALUE}.")
  private int bodyBytes;

  @Mixin private MessageFilter filter;

  /** Shows messages to a visitor. */
  interface Source {
    void read(MessageVisitor visitor);
  }

  void check() {
    check("--count", count);
    check("--body-bytes", bodyBytes);
  }

  private void check(String option, long value) {
    if (value < 0) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + value + ", allowed is 0 or more");
    }
  }

  MessageFilter filter() {
    return filter;
  }

  /** Returns the exit code. */
  int show(Source source, DirectoryCommand command) throws IOException {
    try (Json out = new Json(command.tool.out())) {
      Visitor visitor = new Visitor(command, out);
      if (count > 0) {
        source.read(visitor);
      }
      return visitor.damaged ? ExitCodes.FOUND : ExitCodes.OK;
    }
  }

  private final class Visitor implements MessageVisitor {
    private final DirectoryCommand command;
    private final Json out;
    private long shown;
    private boolean damaged;

    Visitor(DirectoryCommand command, Json out) {
      this.command = command;
      this.out = out;
    }

    @Override
    public boolean message(StoredMessage message) {
      if (!filter.test(message)) {
        return true;
      }
      BodyText body = BodyText.of(message.body(), bodyBytes);
      if (command.json) {
        try {
          write(message, body);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      } else {
        command.print(line(message, body));
      }
      boolean look = ++shown % ExportCommand.LOOK_EVERY == 0;
      return shown < count && !(look && command.tool.out().checkError());
    }

    private void write(StoredMessage message, BodyText body) throws IOException {
      out.start();
      MessageField.writeHead(out, message);
      out.field("bodyBytes", message.body().length);
      out.field("shownBytes", body.shownBytes());
      out.field(
          body.text() != null ? "text" : "base64",
          body.text() != null ? body.text() : body.base64());
      out.end();
    }

    @Override
    public void damaged(DamagedPacket packet) {
      damaged = true;
      command.tool.say(VerifyText.of(packet));
    }
  }

  private static String line(StoredMessage message, BodyText body) {
    StringBuilder line = new StringBuilder();
    line.append(message.sequence());
    line.append("  ").append(MessageField.name(message.state()));
    line.append(message.isTransient() ? " transient" : "");
    line.append("  deliveries ").append(message.deliveries());
    field(line, "", time(message.writtenAtMs()));
    field(line, "not before ", time(message.notBeforeMs()));
    field(line, "expires ", time(message.expiresAtMs()));
    field(line, "died ", time(message.diedAtMs()));
    field(line, "failed attempts ", message.attempts());
    field(line, "reason ", quoted(message.reason()));
    field(line, "id ", quoted(message.id()));
    field(line, "key ", quoted(message.key()));
    line.append("  ").append(message.body().length).append(" bytes  ");
    line.append(body.text() != null ? quoted(body.text()) : "base64 " + body.base64());
    int hidden = message.body().length - body.shownBytes();
    return line + (hidden > 0 ? " and " + hidden + " bytes more" : "");
  }

  private static void field(StringBuilder line, String name, Object value) {
    if (value != null) {
      line.append("  ").append(name).append(value);
    }
  }

  private static Instant time(Long timeMs) {
    return timeMs == null ? null : Instant.ofEpochMilli(timeMs);
  }

  /** Quotes a text, so that control characters cannot harm a terminal. */
  private static String quoted(String text) {
    return text == null
        ? null
        : '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
