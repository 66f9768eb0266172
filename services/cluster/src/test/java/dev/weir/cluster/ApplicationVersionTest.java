package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members whose processors are of different versions of the application. */
@Timeout(120)
class ApplicationVersionTest {
  private static final int MEMBERS = 3;

  @TempDir Path directory;

  private TestGroup group;

  /** The version that the processor of each member states. */
  private final Map<Integer, Integer> stated = new ConcurrentHashMap<>();

  /** The versions of the messages that each process has handled or read again. */
  private final Map<Integer, List<Integer>> seen = new ConcurrentHashMap<>();

  /** Adds up, and notes the versions. */
  private static final class Versioned implements EventSourcedProcessor {
    private final SumProcessor sum = new SumProcessor();
    private final int version;
    private final List<Integer> seen;

    Versioned(int version, List<Integer> seen) {
      this.version = version;
      this.seen = seen;
    }

    @Override
    public int version() {
      return version;
    }

    @Override
    public void onMessage(Inbound message, Outbound out) {
      seen.add(message.version());
      sum.onMessage(message, out);
    }

    @Override
    public void save(DataOutput out) throws IOException {
      sum.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
      seen.clear();
      sum.restore(in);
    }
  }

  @BeforeEach
  void begin() {
    QuietLog.set();
    // A member that has just started votes for nobody for as long as a takeover takes.
    GroupOptions options = TestGroup.patient().setLeaseMs(2_000).setTakeoverMs(3_000);
    group = new TestGroup(options, MEMBERS, directory, false);
    group.processors =
        member -> {
          List<Integer> versions = new CopyOnWriteArrayList<>();
          seen.put(member, versions);
          return new Versioned(stated.getOrDefault(member, 1), versions);
        };
  }

  @AfterEach
  void end() {
    group.close();
  }

  private void restart(int member, int version) {
    stated.put(member, version);
    group.closeGracefully(member);
    group.start(member);
    group.awaitInSync(MEMBERS);
  }

  private int backup() {
    int primary = group.awaitPrimary();
    return primary == 0 ? 1 : 0;
  }

  private void assertAllHaveSeen(Integer... versions) {
    for (int member = 0; member < MEMBERS; member++) {
      List<Integer> its = seen.get(member);
      Await.until(() -> its + " is " + List.of(versions), () -> its.equals(List.of(versions)));
    }
  }

  /** Three members, the last of which is upgraded between the second and the third message. */
  private void upgradeAll() {
    group.startAll().awaitInSync(MEMBERS);
    group.send(1, 1);
    int primary = group.awaitPrimary();
    IntStream.range(0, MEMBERS)
        .filter(member -> member != primary)
        .forEach(member -> restart(member, 2));
    group.send(2, 2);
    assertAllHaveSeen(1, 1);
    restart(group.awaitPrimary(), 2);
    IntStream.range(0, MEMBERS)
        .filter(member -> stated.getOrDefault(member, 1) == 1)
        .forEach(member -> restart(member, 2));
    group.send(3, 3);
  }

  @Test
  void messagesAreOfTheOldVersionUntilAllMembersStateTheNewOne() {
    upgradeAll();
    assertAllHaveSeen(1, 1, 2);
    // And when the log is read again.
    restart(backup(), 3);
    group.send(4, 4);
    assertAllHaveSeen(1, 1, 2, 2);
  }

  @Test
  void aNewPrimaryGoesOnInTheVersionOfTheLogWhileAMemberIsAway() {
    upgradeAll();
    group.closeGracefully(group.awaitPrimary());
    group.awaitPrimary();
    group.send(4, 4);
    int last = group.awaitPrimary();
    assertThat(seen.get(last)).containsExactly(1, 1, 2, 2);
  }

  @Test
  void aMemberDoesNotStartInAnOlderVersionThanItsLog() {
    upgradeAll();
    int member = backup();
    group.closeGracefully(member);
    stated.put(member, 1);
    assertThatThrownBy(() -> group.start(member))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the messages of the group are of application version 2, and the processor of this"
                + " member states version 1: start the later version of the application");
    stated.put(member, 2);
    group.start(member);
    group.awaitInSync(MEMBERS);
  }

  @Test
  void aMemberWithAnEmptyDirectoryIsGivenNothingItDoesNotUnderstand() throws IOException {
    upgradeAll();
    int member = backup();
    group.closeGracefully(member);
    Files.move(group.directory(member), directory.resolve("old"));
    stated.put(member, 1);
    group.start(member);
    Await.until(
        () -> "it follows: " + group.describe(),
        () -> group.member(member).stats().role() == Role.BACKUP);
    for (int number = 4; number < 20; number++) {
      group.send(number, number);
    }
    assertThat(seen.get(member)).isEmpty();
    assertThat(group.member(member).stats().role()).isEqualTo(Role.BACKUP);
    assertThat(group.member(group.awaitPrimary()).stats().inSync()).isEqualTo(MEMBERS - 1);
    restart(member, 2);
    group.send(20, 20);
    assertThat(group.member(member).stats().inSync()).isEqualTo(MEMBERS);
  }

  @Test
  void aVersionOutOfRangeIsRefused() {
    stated.put(0, 0);
    assertThatThrownBy(() -> group.start(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version of the processor is 0, allowed is 1 to 1000000");
  }
}
