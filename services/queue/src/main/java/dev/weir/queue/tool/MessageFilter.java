package dev.weir.queue.tool;

import dev.weir.queue.StoredMessage;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which messages are meant. Every message fits an option that is not given. */
final class MessageFilter implements Predicate<StoredMessage> {
  private static final String TIME = "TIME";

  @Option(names = "--id", paramLabel = "ID", description = "Only messages of this id.")
  private String id;

  @Option(names = "--key", paramLabel = "KEY", description = "Only messages of this key.")
  private String key;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Only messages with this text in their reason, in any case.")
  private String reason;

  @Option(
      names = "--after",
      paramLabel = TIME,
      converter = Time.class,
      description =
          "Only messages of this time or later, such as 2026-01-31T23:59:59Z: the time of death of"
              + " a dead letter, the due time of a scheduled message, else the time of writing.")
  private Instant after;

  @Option(
      names = "--before",
      paramLabel = TIME,
      converter = Time.class,
      description = "Only messages of a time before this one.")
  private Instant before;

  /** True if every message fits. */
  boolean isOpen() {
    return id == null && key == null && reason == null && after == null && before == null;
  }

  @Override
  public boolean test(StoredMessage message) {
    return (id == null || id.equals(message.id()))
        && (key == null || key.equals(message.key()))
        && (reason == null || contains(message.reason(), reason))
        && isInTime(message);
  }

  private static boolean contains(String text, String part) {
    return text != null && text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }

  private boolean isInTime(StoredMessage message) {
    if (after == null && before == null) {
      return true;
    }
    Instant time =
        Stream.of(message.diedAtMs(), message.notBeforeMs(), message.writtenAtMs())
            .filter(each -> each != null)
            .findFirst()
            .map(Instant::ofEpochMilli)
            .orElse(null);
    return time != null
        && (after == null || !time.isBefore(after))
        && (before == null || time.isBefore(before));
  }

  /** A time as ISO 8601 writes it. */
  static final class Time implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String value) {
      try {
        return Instant.parse(value);
      } catch (DateTimeException e) {
        throw new TypeConversionException(
            "'" + value + "' is no time, allowed is a time such as 2026-01-31T23:59:59Z");
      }
    }
  }
}
