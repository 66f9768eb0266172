package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.FlightRecording;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What members of a group tell Flight Recorder. */
class RoleEventsTest {
  @TempDir Path directory;

  @Test
  void changesOfTheRoleAreRecorded() {
    GroupOptions options = TestGroup.patient().setName("sums");
    try (FlightRecording recording = FlightRecording.of("dev.weir.RoleChange");
        TestGroup group = new TestGroup(options, 2, directory, false)) {
      group.start(0);
      group.start(1);
      Await.until(
          "a primary and a backup",
          () -> of(recording, "PRIMARY").size() == 1 && !of(recording, "BACKUP").isEmpty());
      RecordedEvent primary = of(recording, "PRIMARY").get(0);
      RecordedEvent backup = of(recording, "BACKUP").get(0);
      assertThat(primary.getString("group")).isEqualTo("sums");
      assertThat(primary.getLong("epoch")).isPositive();
      assertThat(List.of(primary.getString("member"), backup.getString("member")))
          .containsExactlyInAnyOrder("m0", "m1");
    }
  }

  private static List<RecordedEvent> of(FlightRecording recording, String role) {
    return recording.events("dev.weir.RoleChange").stream()
        .filter(event -> event.getString("role").equals(role))
        .toList();
  }
}
