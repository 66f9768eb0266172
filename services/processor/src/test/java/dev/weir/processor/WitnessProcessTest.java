package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.GroupOptions;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two members and a witness in processes of their own, under load; each of them fails in turn. */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class WitnessProcessTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int WITNESS = 2;
  private static final String IN_SYNC = ", 2 in sync";

  @TempDir private Path directory;
  private final List<Integer> ports = FreePorts.find(9);
  private final List<Integer> hazelcast = ports.subList(0, 3);
  private final List<Integer> clients = ports.subList(3, 6);
  private final List<Integer> http = ports.subList(6, 9);
  private final HttpClient browser = HttpClient.newHttpClient();
  private final ChildJvm[] members = new ChildJvm[NAMES.size()];

  @AfterEach
  void killAll() {
    for (ChildJvm member : members) {
      if (member != null) {
        member.close();
      }
    }
  }

  @Test
  void theDeathOfEachMemberInTurnLosesNothingAndRepeatsNothing() throws Exception {
    failInTurn(ChildJvm::kill, this::start);
  }

  @Test
  void theStopOfEachMemberInTurnLosesNothingAndRepeatsNothing() throws Exception {
    failInTurn(member -> member.signal("STOP"), member -> members[member].signal("CONT"));
  }

  /** The group goes on while a member is gone, whichever it is, and takes it in again after. */
  private void failInTurn(Consumer<ChildJvm> fault, IntConsumer end) throws Exception {
    for (int member = 0; member < members.length; member++) {
      start(member);
    }
    long sent;
    try (CountedCars cars = new CountedCars(addresses(clients.subList(0, WITNESS)))) {
      for (int turn = 0; turn < members.length; turn++) {
        int primary = awaitInSync();
        cars.awaitMore();
        int victim = turn == WITNESS ? WITNESS : turn == 0 ? primary : 1 - primary;
        fault.accept(members[victim]);
        cars.awaitMore();
        end.accept(victim);
      }
      awaitInSync();
      sent = cars.finish();
    }
    killAll();
    GroupLogs.Comparison logs = GroupLogs.compare(log(0), log(1));
    assertThat(logs.isSame()).as("%s", logs).isTrue();
    assertThat(logs.to()).isEqualTo(sent);
    assertThat(GroupLogs.compare(log(0), log(WITNESS)).secondEnd()).isZero();
  }

  private Path log(int member) {
    return directory.resolve(NAMES.get(member)).resolve(GroupOptions.DEFAULT_NAME);
  }

  private void start(int member) {
    members[member] =
        MemberProcess.start(
            "run",
            "--name=" + NAMES.get(member),
            "--members=" + String.join(",", NAMES),
            "--witness=" + NAMES.get(WITNESS),
            "--port=" + hazelcast.get(member),
            "--join=" + addresses(hazelcast),
            "--client-port=" + clients.get(member),
            "--http-port=" + http.get(member),
            "--management-port=-1",
            "--data=" + directory.resolve(NAMES.get(member)));
  }

  /** Waits until both members are in sync and the witness votes; returns the primary. */
  private int awaitInSync() {
    Await.until(
        () -> "all are ready: " + health(0) + health(1) + health(WITNESS),
        () ->
            health(0).contains(IN_SYNC)
                && health(1).contains(IN_SYNC)
                && health(WITNESS).contains("WITNESS" + IN_SYNC)
                && (health(0) + health(1)).contains("PRIMARY" + IN_SYNC));
    return health(0).contains("PRIMARY") ? 0 : 1;
  }

  private String health(int member) {
    URI uri = URI.create("http://127.0.0.1:" + http.get(member) + "/health/ready");
    try {
      return browser.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return NAMES.get(member) + " does not answer: " + e.getMessage();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private static String addresses(List<Integer> ports) {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }
}
