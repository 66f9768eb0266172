package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.offline.QueueAppender;
import java.io.BufferedReader;
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
      "Adds messages, as export writes them, behind what waits; the directory is made if it is"
          + " absent or empty. They get new sequences and keep their deliveries. When it is done,"
          + " they are forced to the device. Messages of no use after a restart are left out.",
      "At the first invalid line it ends: it names the line; what is before is imported, that line"
          + " and what is behind it is not."
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

  private final Map<String, QueueAppender> appenders = new HashMap<>();
  private long imported;
  private long leftOut;
  private String invalid;

  @Override
  public Integer call() throws IOException {
    if (input == null) {
      return read(tool.in());
    }
    // Before a directory is made.
    try (InputStream in = Files.newInputStream(input)) {
      return read(in);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("FILE is " + input + ", which does not exist", e);
    }
  }

  private int read(InputStream in) throws IOException {
    try (QueueMaintenance opened = QueueMaintenance.create(directory)) {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
      readLines(opened, lines);
      appenders.values().forEach(QueueAppender::commit);
    }
    report();
    return invalid == null ? ExitCodes.OK : ExitCodes.FOUND;
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
        // It is read ahead.
        invalid = "line " + number + " or one behind it is not UTF-8";
        return;
      } catch (IllegalArgumentException e) {
        invalid = "line " + number + ": " + e.getMessage();
        return;
      }
    }
  }

  private void add(QueueMaintenance opened, StoredMessage message) {
    if (message.ofNoUse()) {
      leftOut++;
      return;
    }
    appenders.computeIfAbsent(message.queue(), opened::appender).add(message);
    imported++;
  }

  private void report() throws IOException {
    if (invalid != null) {
      tool.say(invalid + "; neither it nor what is behind it is imported");
    }
    if (json) {
      try (Json out = new Json(tool.out())) {
        JsonGenerator object = out.start();
        object.writeNumberField("imported", imported);
        object.writeNumberField("leftOut", leftOut);
        out.end();
      }
      return;
    }
    print(
        "imported "
            + imported
            + " messages"
            + (leftOut == 0 ? "" : ", not " + leftOut + " of no use after a restart"));
  }
}
