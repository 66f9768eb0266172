package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies that a client has are kept by no member, also after a start from the log. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReplyReleaseTest {
  private static final int MEMBERS = 2;
  private static final int SENT = 10_000;

  /** Less than the places of so many replies alone. */
  private static final int FEW_BYTES = 8 * SENT / 4;

  @TempDir Path directory;

  private static void awaitFewReplies(TestGroup group) {
    Await.until(
        () -> "no member keeps many replies: " + group.describe(),
        () ->
            IntStream.range(0, MEMBERS)
                .allMatch(member -> group.member(member).stats().replyBytes() < FEW_BYTES));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allMembersDropWhatTheClientHasAndKeepTheRest(boolean stateReplicated) {
    TestGroup group = new TestGroup(TestGroup.patient(), MEMBERS, directory, stateReplicated);
    try (group) {
      group.startAll().awaitInSync(MEMBERS);
      group.send(1, SENT);
      int primary = group.primary();
      assertThat(group.member(primary).stats().replyBytes()).isGreaterThan(FEW_BYTES);
      group.member(1 - primary).releaseReplies(TestGroup.CLIENT, SENT);
      group.send(SENT + 1, SENT + 1);
      assertThat(group.member(primary).stats().replyBytes())
          .as("nothing is asked of a backup")
          .isGreaterThan(FEW_BYTES);

      group.member(primary).releaseReplies(TestGroup.CLIENT, SENT + 1);
      group.send(SENT + 2, SENT + 2);
      awaitFewReplies(group);
      assertThat(group.offer(SENT)).isEqualTo(OfferResult.FORGOTTEN);
      assertThat(group.offer(SENT + 1)).isEqualTo(OfferResult.ANSWERED);

      group.kill(0);
      group.kill(1);
      group.startAll().awaitInSync(MEMBERS);
      awaitFewReplies(group);
      assertThat(group.offer(SENT)).isEqualTo(OfferResult.FORGOTTEN);
      assertThat(group.offer(SENT + 1)).isEqualTo(OfferResult.ANSWERED);
      group.send(SENT + 3, SENT + 3);
    }
    List<Map<Long, ByteBuffer>> logs = group.closeAndReadLogs();
    assertThat(logs.get(0)).isEqualTo(logs.get(1));
  }
}
