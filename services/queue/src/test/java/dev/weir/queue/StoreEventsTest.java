package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.FlightRecording;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** What a store tells Flight Recorder. */
class StoreEventsTest extends QueueTestBase {
  @Test
  void commitsAndSyncsAreRecorded() {
    try (FlightRecording recording = FlightRecording.of("dev.weir.Commit", "dev.weir.Fsync");
        QueueStore store = openStore()) {
      try (DurableQueue<String> queue = openQueue(store, new QueueOptions())) {
        assertThat(append(queue, "one").await().failure()).isNull();
        assertThat(recording.events("dev.weir.Commit"))
            .anySatisfy(
                event -> {
                  assertThat(event.getString("durability")).isEqualTo("PROCESS");
                  assertThat(event.getString("directory")).isEqualTo(directory.toString());
                  assertThat(event.getDuration().toNanos()).isPositive();
                });
        assertThat(recording.events("dev.weir.Fsync")).isEmpty();

        Outcome forced = new Outcome();
        queue.append("two", Durability.MACHINE, forced);
        assertThat(forced.await().failure()).isNull();
        List<RecordedEvent> syncs = recording.events("dev.weir.Fsync");
        assertThat(syncs).hasSize(1);
        assertThat(syncs.get(0).getString("directory")).isEqualTo(directory.toString());
        assertThat(syncs.get(0).getDuration().toNanos()).isPositive();
      }
    }
  }
}
