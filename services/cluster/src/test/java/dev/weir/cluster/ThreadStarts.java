package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * Which threads this JVM starts, also those that have ended again, as its flight recorder knows.
 */
public final class ThreadStarts implements AutoCloseable {
  private static final String START = "jdk.ThreadStart";

  /**
   * What comes now and then whatever is sent: the JVM's own, and those in which Hazelcast does its
   * periodic work, which are numbered. A thread for each message has another name, or many digits.
   */
  private static final Pattern HOUSEKEEPING =
      Pattern.compile("C[12] CompilerThread\\d+|JFR .*|hz\\..+\\.cached\\.thread-\\d{1,2}");

  private final Recording recording = new Recording();

  /** Watches from now on. */
  public ThreadStarts() {
    recording.enable(START);
    recording.start();
  }

  /** Watches no more; no thread has been started but for housekeeping. */
  public void assertNone() throws IOException {
    recording.stop();
    assertThat(names()).allMatch(HOUSEKEEPING.asMatchPredicate());
  }

  private List<String> names() throws IOException {
    Path file = Files.createTempFile("threads", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().equals(START))
          .map(event -> event.getThread("thread").getJavaName())
          .map(String::valueOf)
          .toList();
    } finally {
      Files.delete(file);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
