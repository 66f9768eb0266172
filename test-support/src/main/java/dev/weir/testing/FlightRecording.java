package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Records events of this JVM with Flight Recorder, and reads them. */
public final class FlightRecording implements AutoCloseable {
  private final Recording recording = new Recording();

  private FlightRecording() {}

  /** Starts to record the events of these names, all of them whatever they take. */
  public static FlightRecording of(String... names) {
    FlightRecording started = new FlightRecording();
    for (String name : names) {
      started.recording.enable(name).withoutThreshold().withoutStackTrace();
    }
    started.recording.start();
    return started;
  }

  /** The events of one name so far, in the order in which they ended. */
  public List<RecordedEvent> events(String name) {
    try {
      Path file = Files.createTempFile("weir-test", ".jfr");
      try {
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals(name))
            .toList();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    recording.close();
  }
}
