package dev.weir.queue.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentsTest {
  private static final int SEGMENT_BYTES = 100;

  private final MemorySegments files = new MemorySegments();
  private final Segments segments = begun(Map.of(), true);

  private Segments begun(Map<Integer, Long> references, boolean certain) {
    Segments made = new Segments(files, SEGMENT_BYTES);
    made.begin(references, certain, true);
    return made;
  }

  private static ByteBuffer record(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private SegmentReference append(String owner, String text) {
    return segments.append(owner, record(text), true, Long.MAX_VALUE);
  }

  private static String read(Segments from, SegmentReference reference) {
    ByteBuffer found = from.read(reference, ByteBuffer::allocate);
    return found == null ? null : StandardCharsets.US_ASCII.decode(found).toString();
  }

  /** A record in a full segment, and nothing refers to it. */
  private SegmentReference emptied() {
    SegmentReference first = append("a", "x".repeat(SEGMENT_BYTES));
    append("a", "last");
    segments.freed(first.segment(), 1);
    return first;
  }

  private void deleteEmpty() {
    segments.delete(segments.takeEmpty(), 0);
  }

  @Test
  void recordsAreReadBack() {
    SegmentReference first = append("a", "one");
    SegmentReference second = append("a", "two");
    assertThat(read(segments, first)).isEqualTo("one");
    assertThat(read(segments, second)).isEqualTo("two");
    assertThat(second).isEqualTo(new SegmentReference(first.segment(), 3, 3));
  }

  @Test
  void whatIsNotThereIsNotRead() {
    SegmentReference only = append("a", "one");
    assertThat(read(segments, new SegmentReference(only.segment(), 1, 3))).isNull();
    assertThat(read(segments, new SegmentReference(only.segment(), -1, 3))).isNull();
    assertThat(read(segments, new SegmentReference(99, 0, 3))).isNull();
  }

  @Test
  void eachOwnerHasSegmentsOfItsOwn() {
    assertThat(append("a", "one").segment()).isNotEqualTo(append("b", "two").segment());
  }

  @Test
  void aFullSegmentIsFollowedByAnother() {
    SegmentReference first = append("a", "x".repeat(SEGMENT_BYTES));
    assertThat(append("a", "y").segment()).isEqualTo(first.segment() + 1);
    assertThat(read(segments, first)).hasSize(SEGMENT_BYTES);
  }

  @Test
  void aSegmentOfAnOwnerWithASmallBudgetIsFullSooner() {
    SegmentReference first = segments.append("a", record("x".repeat(10)), true, 10);
    assertThat(segments.append("a", record("y"), true, 10).segment()).isEqualTo(2);
    assertThat(append("b", "x".repeat(10)).segment()).isEqualTo(append("b", "y").segment());
    assertThat(read(segments, first)).hasSize(10);
  }

  @Test
  void aFullSegmentIsDeletedOnceNothingRefersToIt() {
    SegmentReference first = append("a", "x".repeat(60));
    SegmentReference second = append("a", "x".repeat(60));
    SegmentReference third = append("a", "last");
    segments.freed(first.segment(), 1);
    deleteEmpty();
    assertThat(files.sizes()).containsKeys(first.segment(), third.segment());
    segments.freed(second.segment(), 1);
    deleteEmpty();
    assertThat(files.sizes()).containsOnlyKeys(third.segment());
    assertThat(read(segments, first)).isNull();
    assertThat(read(segments, third)).isEqualTo("last");
  }

  @Test
  void aSegmentThatIsAppendedToStaysUntilItIsLarge() {
    Segments large = new Segments(files, 64 << 20);
    large.begin(Map.of(), true, true);
    SegmentReference small = large.append("a", record("x"), true, Long.MAX_VALUE);
    large.freed(small.segment(), 1);
    assertThat(large.takeEmpty()).isEmpty();
    SegmentReference more = large.append("a", ByteBuffer.allocate(1 << 20), true, Long.MAX_VALUE);
    assertThat(more.segment()).isEqualTo(small.segment());
    large.freed(more.segment(), 1);
    large.delete(large.takeEmpty(), 0);
    assertThat(files.sizes()).isEmpty();
  }

  @Test
  void aSegmentThatWasGivenBackStaysAndIsTakenAgain() {
    SegmentReference first = emptied();
    List<Segment> taken = segments.takeEmpty();
    assertThat(taken).hasSize(1);
    assertThat(segments.takeEmpty()).isEmpty();
    segments.giveBack(taken);
    assertThat(segments.emptyCount()).isEqualTo(1);
    deleteEmpty();
    assertThat(files.sizes()).doesNotContainKey(first.segment());
  }

  @Test
  void nothingIsDeletedWhileSegmentsAreHeld() {
    SegmentReference first = emptied();
    List<Segment> taken = segments.takeEmpty();
    segments.hold();
    segments.delete(taken, 0);
    assertThat(segments.takeEmpty()).isEmpty();
    assertThat(files.sizes()).containsKey(first.segment());
    segments.release();
    deleteEmpty();
    assertThat(files.sizes()).doesNotContainKey(first.segment());
  }

  /** A record in a full segment of which the file is kept. */
  private SegmentReference kept() {
    SegmentReference first = emptied();
    segments.delete(segments.takeEmpty(), Long.MAX_VALUE);
    assertThat(segments.spareCount()).isEqualTo(1);
    assertThat(files.sizes()).containsKey(first.segment());
    return first;
  }

  @Test
  void theFileOfADeletedSegmentBecomesANewSegment() {
    SegmentReference first = kept();
    assertThat(read(segments, first)).isNull();
    append("a", "x".repeat(SEGMENT_BYTES));
    SegmentReference reused = append("a", "new");
    assertThat(segments.spareCount()).isZero();
    assertThat(files.sizes()).doesNotContainKey(first.segment());
    assertThat(files.sizes()).containsEntry(reused.segment(), (long) SEGMENT_BYTES);
    assertThat(reused.offset()).isZero();
    assertThat(read(segments, reused)).isEqualTo("new");
    assertThat(read(segments, new SegmentReference(reused.segment(), 3, 1))).isNull();
  }

  @Test
  void filesAreKeptWithinTheBytesThatTheyMayHave() {
    SegmentReference one = append("a", "x".repeat(SEGMENT_BYTES));
    SegmentReference two = append("a", "x".repeat(SEGMENT_BYTES));
    append("a", "last");
    segments.freed(one.segment(), 1);
    segments.freed(two.segment(), 1);
    segments.delete(segments.takeEmpty(), SEGMENT_BYTES + 1);
    assertThat(segments.spareCount()).isEqualTo(1);
    assertThat(files.sizes()).hasSize(2);
  }

  @Test
  void aLossOfPowerLeavesTheOldContentOfAFileThatIsUsedAgain() throws IOException {
    append("a", "x".repeat(SEGMENT_BYTES - 1));
    segments.force();
    SegmentReference first = append("a", "y");
    segments.freed(first.segment(), 2);
    append("a", "z".repeat(SEGMENT_BYTES));
    segments.delete(segments.takeEmpty(), Long.MAX_VALUE);
    SegmentReference reused = append("a", "new");
    files.forceNames();
    files.losePower();
    Segments again = begun(Map.of(reused.segment(), 1L), false);
    assertThat(read(again, reused)).isEqualTo("xxx");
  }

  @Test
  void filesThatAreKeptAreDeletedWhenNoneWasUsedMeanwhile() {
    SegmentReference first = kept();
    segments.deleteSpares(true);
    assertThat(segments.spareCount()).isEqualTo(1);
    segments.deleteSpares(true);
    assertThat(segments.spareCount()).isZero();
    assertThat(files.sizes()).doesNotContainKey(first.segment());
  }

  @Test
  void filesThatAreKeptAreNeitherUsedNorDeletedWhileSegmentsAreHeld() {
    SegmentReference first = kept();
    segments.hold();
    assertThat(segments.spareCount()).isZero();
    segments.deleteSpares(false);
    append("a", "x".repeat(SEGMENT_BYTES));
    append("a", "new");
    assertThat(files.sizes()).containsKey(first.segment());
    segments.release();
    segments.deleteSpares(false);
    assertThat(files.sizes()).doesNotContainKey(first.segment());
  }

  @Test
  void aCloseDeletesTheFilesThatAreKept() {
    SegmentReference first = kept();
    segments.close();
    segments.deleteEmpty();
    assertThat(files.sizes()).doesNotContainKey(first.segment());
  }

  @Test
  void aNewBeginningDeletesWhatNothingRefersTo() {
    SegmentReference first = append("a", "one");
    SegmentReference second = append("b", "two");
    segments.close();
    Segments again = begun(Map.of(second.segment(), 1L), true);
    assertThat(files.sizes()).containsOnlyKeys(second.segment());
    assertThat(read(again, second)).isEqualTo("two");
    assertThat(again.append("a", record("new"), true, Long.MAX_VALUE).segment())
        .isGreaterThan(Math.max(first.segment(), second.segment()));
  }

  @Test
  void theNumberOfAMissingSegmentIsNotUsedAgain() {
    segments.close();
    Segments again = begun(Map.of(7, 2L), true);
    assertThat(again.append("a", record("new"), true, Long.MAX_VALUE).segment()).isEqualTo(8);
    again.freed(7, 1);
    assertThat(again.read(new SegmentReference(7, 0, 1), ByteBuffer::allocate)).isNull();
  }

  @Test
  void whatWasTakenBeforeANewBeginningIsJudgedAnew() {
    SegmentReference first = emptied();
    List<Segment> taken = segments.takeEmpty();
    // The deletion of the reference did not reach the disk.
    segments.begin(Map.of(first.segment(), 1L), false, true);
    segments.delete(taken, 0);
    assertThat(read(segments, first)).hasSize(SEGMENT_BYTES);
  }

  @Test
  void whatWasForcedSurvivesALossOfPower() throws IOException {
    SegmentReference forced = append("a", "one");
    segments.force();
    SegmentReference unforced = append("a", "two");
    files.losePower();
    Segments again = begun(Map.of(forced.segment(), 2L), false);
    assertThat(read(again, forced)).isEqualTo("one");
    assertThat(read(again, unforced)).isNull();
  }

  @Test
  void onlyWhatIsOfUseAfterARestartIsForced() throws IOException {
    segments.append("a", record("one"), false, Long.MAX_VALUE);
    segments.force();
    assertThat(files.syncs()).isZero();
    append("a", "two");
    segments.force();
    segments.force();
    assertThat(files.syncs()).isEqualTo(1);
  }

  @Test
  void afterAFailedSyncNothingIsTakenForForcedUntilItIsWrittenAgain() throws IOException {
    SegmentReference one = append("a", "one");
    files.syncFails = true;
    assertThatThrownBy(segments::force).isInstanceOf(IOException.class);
    files.syncFails = false;
    assertThatThrownBy(segments::force).hasMessageContaining("earlier sync");
    segments.close();
    segments.begin(Map.of(one.segment(), 1L), false, true);
    segments.force();
    files.losePower();
    assertThat(read(begun(Map.of(one.segment(), 1L), false), one)).isEqualTo("one");
  }

  @Test
  void aWriteThatFailsEndsItsSegment() {
    SegmentReference first = append("a", "one");
    files.failWrites(bytes -> true);
    assertThatThrownBy(() -> append("a", "two")).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(segments::probe).isInstanceOf(UncheckedIOException.class);
    files.failWrites(bytes -> false);
    segments.probe();
    SegmentReference next = append("a", "three");
    assertThat(next.segment()).isGreaterThan(first.segment());
    assertThat(read(segments, first)).isEqualTo("one");
    assertThat(read(segments, next)).isEqualTo("three");
    deleteEmpty();
    assertThat(files.sizes()).containsOnlyKeys(first.segment(), next.segment());
  }

  @Test
  void closedSegmentsAreNotTakenForLost() {
    SegmentReference one = append("a", "one");
    segments.close();
    assertThatThrownBy(() -> segments.read(one, ByteBuffer::allocate))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> append("a", "two")).isInstanceOf(IllegalStateException.class);
  }
}
