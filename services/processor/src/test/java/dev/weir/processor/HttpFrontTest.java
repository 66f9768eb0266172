package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two members, each a process, and cars that come over HTTP. */
@Tag("slow")
class HttpFrontTest {
  @TempDir private Path directory;
  private TwoMembers members;

  @BeforeEach
  void takePorts() {
    members = new TwoMembers(directory);
  }

  @Test
  void aCarWithANumberedKeyIsHandledOnceOverAFailover() throws Exception {
    try (ChildJvm a = members.startPatient(0);
        ChildJvm b = members.startPatient(1)) {
      a.await("a: answers HTTP");
      b.await("b: answers HTTP");
      // Only then the other can go on alone.
      String bothInSync = "group processor: in sync are a b";
      Await.until(bothInSync, () -> a.hasSaid(bothInSync) || b.hasSaid(bothInSync));
      String first = "{\"serialNumber\":1,\"odometer\":1}";
      assertThat(members.post(0, "7-1", 1)).isEqualTo(first);
      assertThat(members.post(1, "7-1", 1)).as("of the other member").isEqualTo(first);

      boolean primaryIsA = TwoMembers.primary(a, b) == 0;
      (primaryIsA ? a : b).kill();
      int left = primaryIsA ? 1 : 0;
      assertThat(members.post(left, "7-1", 1)).as("after the failover").isEqualTo(first);
      assertThat(members.post(left, "7-2", 2)).isEqualTo("{\"serialNumber\":2,\"odometer\":2}");
      assertThat(members.post(left, null, 3)).isEqualTo("{\"serialNumber\":3,\"odometer\":3}");
      assertAnswersInBytes(left, 4);
      assertShowsTheGroup(left);

      ChildJvm survivor = primaryIsA ? b : a;
      survivor.terminate();
      assertThat(survivor.exitCode()).as("said %s", survivor.lines()).isZero();
      assertThat(survivor.lines()).noneMatch(line -> line.contains(" INFO com.hazelcast"));
    }
  }

  private void assertAnswersInBytes(int member, long serialNumber) throws Exception {
    CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
    ByteBuffer car = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    int bytes = requests.encode(serialNumber, car, 0);
    byte[] body = Arrays.copyOf(car.array(), bytes);
    HttpResponse<byte[]> answer = members.post(member, body);
    assertThat(answer.statusCode()).isEqualTo(200);
    ByteBuffer reply = ByteBuffer.wrap(answer.body());
    assertThat(requests.isReply(reply, 0, answer.body().length, serialNumber, serialNumber))
        .isTrue();
    assertThat(members.post(member, new byte[] {1, 2, 3}).statusCode()).as("no car").isEqualTo(400);
  }

  private void assertShowsTheGroup(int member) throws Exception {
    assertThat(members.get(member, "/health/ready").statusCode()).isEqualTo(200);
    assertThat(members.get(member, "/metrics").body())
        .containsPattern("weir_group_\\w+\\{.*processor");
  }
}
