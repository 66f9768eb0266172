package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupLogs;
import dev.weir.cluster.GroupOptions;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.nio.file.Path;
import java.util.Arrays;
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
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class WitnessProcessTest {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int WITNESS = 2;
  private static final String ROLE = " processor: ";

  @TempDir private Path directory;
  private final List<Integer> ports = FreePorts.find(6);
  private final List<Integer> hazelcast = ports.subList(0, 3);
  private final List<Integer> clients = ports.subList(3, 6);
  private final ChildJvm[] members = new ChildJvm[NAMES.size()];

  @AfterEach
  void killAll() {
    for (ChildJvm member : members) {
      if (member != null) {
        member.close();
      }
    }
  }

  /** In one group, because half of the time goes into the starts of processes. */
  @Test
  void theStopAndTheDeathOfEachMemberInTurnLoseNothingAndRepeatNothing() throws Exception {
    for (int member = 0; member < members.length; member++) {
      start(member);
    }
    long sent;
    try (CountedCars cars = new CountedCars(addresses(clients.subList(0, WITNESS)))) {
      failInTurn(cars, member -> member.signal("STOP"), member -> members[member].signal("CONT"));
      failInTurn(cars, ChildJvm::kill, this::start);
      awaitReady();
      sent = cars.finish();
      // Both hold what was acknowledged, also if one of them was left out for a moment.
      awaitReady();
    }
    killAll();
    GroupLogs.Comparison logs = GroupLogs.compare(log(0), log(1));
    assertThat(logs.isSame()).as("%s", logs).isTrue();
    assertThat(logs.to()).isEqualTo(sent);
    assertThat(GroupLogs.compare(log(0), log(WITNESS)).secondEnd()).isZero();
  }

  /** The group goes on while a member is gone, whichever it is, and takes it in again after. */
  private void failInTurn(CountedCars cars, Consumer<ChildJvm> fault, IntConsumer end) {
    for (int turn = 0; turn < members.length; turn++) {
      int primary = awaitReady();
      cars.awaitMore();
      int victim = turn == WITNESS ? WITNESS : turn == 0 ? primary : 1 - primary;
      fault.accept(members[victim]);
      cars.awaitMore();
      end.accept(victim);
    }
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
            "--data=" + directory.resolve(NAMES.get(member)));
  }

  /**
   * Waits until both members are in sync and the vote of the witness counts; returns the primary.
   */
  private int awaitReady() {
    Await.until(() -> "all are ready: " + describe(), () -> isReady(0) || isReady(1));
    return isReady(0) ? 0 : 1;
  }

  /** Whether a member is primary, the others follow it, and all may vote. */
  private boolean isReady(int primary) {
    String epoch = last(primary, NAMES.get(primary) + ROLE + "primary, epoch ");
    return epoch != null
        && epoch.equals(last(1 - primary, NAMES.get(1 - primary) + ROLE + "backup, epoch "))
        && epoch.equals(last(WITNESS, NAMES.get(WITNESS) + ROLE + "witness, epoch "))
        && ("a b in epoch " + epoch).equals(last(primary, "in sync are "))
        && lastLine(primary, " members may vote ")
            .endsWith(": " + members.length + " members may vote in epoch " + epoch);
  }

  /** What follows a text in the last line of that kind; null if that line differs. */
  private String last(int member, String text) {
    String kind = text.contains(ROLE) ? NAMES.get(member) + ROLE : text;
    String line = lastLine(member, kind);
    int at = line.indexOf(text);
    return at < 0 ? null : line.substring(at + text.length());
  }

  private String lastLine(int member, String text) {
    return members[member].lines().stream()
        .filter(line -> line.contains(text))
        .reduce("", (earlier, later) -> later);
  }

  private String describe() {
    return Arrays.stream(members).map(member -> member.lines().toString()).toList().toString();
  }

  private static String addresses(List<Integer> ports) {
    return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
  }
}
