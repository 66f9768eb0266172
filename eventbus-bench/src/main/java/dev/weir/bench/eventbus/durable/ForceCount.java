package dev.weir.bench.eventbus.durable;

import dev.weir.bench.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * How many messages a force of a log file made durable together, read from the events of Flight
 * Recorder of rounds that are not measured.
 */
final class ForceCount {
  private static final String FORCE = "jdk.FileForce";

  /** One round is too short: it begins with small packets. */
  private static final int ROUNDS = 20;

  private ForceCount() {}

  /**
   * Runs some rounds and counts the forces of JE's log.
   *
   * @param messages of a round
   * @return messages of a force, from 1 to {@code messages}: a force is of one round at most
   */
  static int messagesPerForce(Rounds.Round round, long messages) throws Exception {
    Path file = Files.createTempFile("forces", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable(FORCE).withoutThreshold().withoutStackTrace();
      recording.start();
      for (int i = 0; i < ROUNDS; i++) {
        round.run();
      }
      recording.stop();
      recording.dump(file);
      long forces = Math.max(ROUNDS, count(file));
      return (int) Math.max(1, ROUNDS * messages / forces);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static long count(Path file) throws IOException {
    return RecordingFile.readAllEvents(file).stream().filter(ForceCount::isOfLog).count();
  }

  private static boolean isOfLog(RecordedEvent event) {
    // A recording has events that nobody asked for, and most of them have no path.
    if (!event.getEventType().getName().equals(FORCE)) {
      return false;
    }
    String path = event.getString("path");
    return path != null && path.endsWith(".jdb");
  }
}
