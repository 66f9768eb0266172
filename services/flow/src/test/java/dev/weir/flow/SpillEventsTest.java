package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.FlightRecording;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** What a service tells Flight Recorder. */
class SpillEventsTest extends FlowTestBase {
  @Test
  void eachSpillAndItsDrainAreRecorded() {
    Gate gate = new Gate();
    Service service = serve(weir(), "slow", diskOnly(), gate::handle);
    serve(weir(), "quick", memoryOnly(), gate::handle);
    try (FlightRecording recording = FlightRecording.of("dev.weir.Spill", "dev.weir.Drain")) {
      for (int wave = 1; wave <= 2; wave++) {
        for (int i = 0; i < 4; i++) {
          vertx.eventBus().send("slow", "text");
        }
        Await.until("three wait", () -> service.stats().waitingOnDisk() == 3);
        assertThat(recording.events("dev.weir.Spill")).hasSize(wave);
        assertThat(recording.events("dev.weir.Drain")).hasSize(wave - 1);
        int handled = 4 * wave;
        Await.until(
            "all are handled",
            () -> {
              gate.openAll();
              return service.stats().completed() == handled;
            });
      }
      Await.until("both drains", () -> recording.events("dev.weir.Drain").size() == 2);
      List<RecordedEvent> spills = recording.events("dev.weir.Spill");
      List<RecordedEvent> drains = recording.events("dev.weir.Drain");
      assertThat(spills).allMatch(event -> event.getString("service").equals("slow"));
      assertThat(drains)
          .allMatch(event -> event.getString("service").equals("slow"))
          .allMatch(event -> event.getLong("messages") == 3)
          .allMatch(event -> event.getDuration().toNanos() > 0);
    }
  }
}
