package dev.weir.group.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.group.MemoryState;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.change.State;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardLogTest {
  private static final long MANY = 1 << 20;

  private final MemoryState state = new MemoryState();

  private ShardLog log() {
    return new ShardLog(state);
  }

  private static LoggedChange change(int n, long nowMs) {
    byte[] content = ("{\"n\":" + n + "}").getBytes(StandardCharsets.UTF_8);
    byte[] key = ("k" + n).getBytes(StandardCharsets.UTF_8);
    State after = new State(1, 0, content, DocumentFormat.JSON);
    return LoggedChange.decided(key, State.ABSENT, after, nowMs);
  }

  private List<Long> positions(long after, int limit) {
    return log().read(after, limit).found().stream().map(ShardChanges::positionOf).toList();
  }

  @Test
  void positionsGrowAlthoughTheClockStandsStillOrGoesBack() {
    for (int i = 0; i < 5; i++) {
      log().append(change(i, 1_000 - i), false, MANY);
    }
    assertThat(positions(0, 10)).containsExactly(256_000L, 256_001L, 256_002L, 256_003L, 256_004L);
    assertThat(log().position()).isEqualTo(256_004);
    assertThat(log().floor()).isZero();
    assertThat(positions(256_002, 10)).containsExactly(256_003L, 256_004L);
    assertThat(positions(256_004, 10)).isEmpty();
  }

  @Test
  void aReadSaysWhetherThereIsMoreAndSurvivesTheWayOverTheBus() {
    for (int i = 0; i < 5; i++) {
      log().append(change(i, 1_000), false, MANY);
    }
    ShardChanges read = ShardChanges.decode(log().read(256_000, 2).encode());
    assertThat(read.hasMore()).isTrue();
    assertThat(read.position()).isEqualTo(256_004);
    assertThat(read.found()).hasSize(2);
    LoggedChange first = ShardChanges.decode(read.found().get(0), 7);
    assertThat(first.position()).isEqualTo(7);
    assertThat(first.created()).isTrue();
    assertThat(first.after().object().getInteger("n")).isEqualTo(1);
    assertThat(log().read(256_002, 2).hasMore()).isFalse();
  }

  @Test
  void theOldestChangesAreDeletedButNeverTheLastOne() {
    long each = ShardLog.CHANGE_BYTES + 8 + change(1, 0).encode().length;
    for (int i = 0; i < 9; i++) {
      log().append(change(i, 1_000), false, 3 * each);
    }
    assertThat(positions(0, 10)).containsExactly(256_006L, 256_007L, 256_008L);
    assertThat(log().floor()).isEqualTo(256_005);
    log().append(change(9, 1_000), false, 1);
    assertThat(positions(0, 10)).containsExactly(256_009L);
    assertThat(log().floor()).isEqualTo(256_008);
  }

  @Test
  void whatWasChangedBeforeTheLogBeganIsMissing() {
    log().append(change(1, 1_000), true, MANY);
    assertThat(log().floor()).isEqualTo(255_999);
    log().append(change(2, 1_000), true, MANY);
    assertThat(log().floor()).isEqualTo(255_999);
  }

  @Test
  void aChangeWithoutALogIsMissingToReadersOfTheLogBefore() {
    log().skip(1_000);
    assertThat(state.size()).isZero();
    log().append(change(1, 1_000), false, MANY);
    log().skip(1_000);
    assertThat(log().floor()).isEqualTo(256_001);
    assertThat(positions(0, 10)).isEmpty();
    log().append(change(2, 1_000), true, MANY);
    assertThat(positions(256_001, 10)).containsExactly(256_002L);
    assertThat(log().floor()).isEqualTo(256_001);
  }

  @Test
  void laterChangesAreBehindASeal() {
    log().append(change(1, 1_000), false, MANY);
    log().seal(300_000, 1_000);
    log().seal(200_000, 1_000);
    assertThat(log().position()).isEqualTo(300_000);
    log().append(change(2, 1_001), false, MANY);
    assertThat(positions(256_000, 10)).containsExactly(300_001L);
    assertThatThrownBy(() -> log().seal(Long.MAX_VALUE, 1_000))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("ahead of the clock");
  }
}
