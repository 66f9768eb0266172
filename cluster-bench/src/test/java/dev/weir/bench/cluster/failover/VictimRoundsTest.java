package dev.weir.bench.cluster.failover;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.failover.FaultRounds.Victim;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rounds in which another than the primary is the victim; meanwhile clients come and go by the
 * thousand. {@code -Dweir.rounds=N} for others than 20 rounds, {@code -Dweir.rate=N} for other than
 * 10,000 cars a second, {@code "-Dweir.victim=BOTH_KILLED ES tcp"} for one of the rows alone.
 */
class VictimRoundsTest {
  private static final int ROUNDS = Integer.getInteger("weir.rounds", 20);
  private static final int RATE_PER_SEC = Integer.getInteger("weir.rate", 10_000);
  private static final int SHORT_RATE_PER_SEC = 1_000;

  @TempDir Path directory;

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({
    "BACKUP_KILLED, ES, tcp",
    "BACKUP_KILLED, ES, hazelcast",
    "BACKUP_STOPPED, ES, tcp",
    "BACKUP_STOPPED, ES, hazelcast",
    "BOTH_KILLED, ES, tcp",
    "BOTH_KILLED, ES, hazelcast",
    "BOTH_STOPPED, ES, tcp",
    "BOTH_STOPPED, ES, hazelcast",
    "WIPED_WHILE_CUT, ES, tcp",
    "WIPED_WHILE_CUT, ES, hazelcast",
    "OPTIONS_DIFFER, ES, tcp",
    "OPTIONS_DIFFER, ES, hazelcast",
    "HANDLER_THROWS, ES, tcp",
    "HANDLER_THROWS, ES, hazelcast",
    "HANDLER_THROWS, SR, tcp",
    "HANDLER_THROWS, SR, hazelcast"
  })
  @Timeout(1_800)
  void nothingIsLostOrHandledTwice(Victim victim, Kind kind, String replication) throws Exception {
    String row = victim + " " + kind.name() + " " + replication;
    assumeTrue(System.getProperty("weir.victim", row).equals(row));
    Path data = directory.resolve("data");
    System.out.println(
        new FaultRounds(victim, kind, replication, RATE_PER_SEC, true, data).run(ROUNDS));
  }

  @Tag("slow")
  @Test
  @Timeout(600)
  void messagesAtWhichTheHandlerThrowsFailAloneAlsoWhenThePrimaryIsKilled() throws Exception {
    Path data = directory.resolve("data");
    new FaultRounds(Victim.HANDLER_THROWS, Kind.ES, "tcp", SHORT_RATE_PER_SEC, false, data).run(2);
  }
}
