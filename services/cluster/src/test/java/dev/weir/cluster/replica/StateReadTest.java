package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.State;
import dev.weir.cluster.TestGroup;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class StateReadTest {
  /** The object of the processor of {@link TestGroup}. */
  private static final long SUM = 1;

  private static final int SUM_OF_50 = 50 * 51 / 2;

  @TempDir private Path directory;
  private TestGroup group;

  @AfterEach
  void close() {
    group.close();
  }

  private static final class Sum implements State.Reader {
    private volatile long value = -1;
    private volatile boolean confirmed;
    private volatile boolean lost;

    @Override
    public void read(State state) {
      value = state.get(SUM).getLong(0);
    }

    @Override
    public void onConfirmed() {
      confirmed = true;
    }

    @Override
    public void onLost() {
      lost = true;
    }
  }

  private long sumHere(int member) {
    AtomicLong sum = new AtomicLong();
    group.member(member).readHere(state -> sum.set(state.get(SUM).getLong(0)));
    return sum.get();
  }

  @Test
  void aReadOnThePrimarySeesAllThatWasAcknowledgedAndMakesNoEntry() {
    group = new TestGroup(TestGroup.patient(), 2, directory, true).startAll();
    group.awaitInSync(2);
    group.send(1, 50);
    int primary = group.primary();
    long end = group.member(primary).stats().logEnd();
    Sum sum = new Sum();
    assertThat(group.member(primary).read(sum)).isEqualTo(OfferResult.ACCEPTED);
    Await.until("it is confirmed", () -> sum.confirmed);
    assertThat(sum.value).isEqualTo(SUM_OF_50);
    assertThat(group.member(primary).stats().logEnd()).isEqualTo(end);
    assertThat(group.member(1 - primary).read(new Sum())).isEqualTo(OfferResult.NOT_PRIMARY);
    assertThat(sumHere(1 - primary)).isEqualTo(SUM_OF_50);
  }

  @Test
  void aReaderThatThrowsWhereItIsToldOfItsReadEndsNothing() {
    group = new TestGroup(TestGroup.patient(), 2, directory, true).startAll();
    group.awaitInSync(2);
    group.send(1, 10);
    int primary = group.primary();
    AtomicLong calls = new AtomicLong();
    State.Reader throwing =
        new State.Reader() {
          @Override
          public void read(State state) {}

          @Override
          public void onConfirmed() {
            calls.incrementAndGet();
            throw new IllegalStateException("a fault of the reader");
          }

          @Override
          public void onLost() {
            onConfirmed();
          }
        };
    Sum sum = new Sum();
    assertThat(group.member(primary).read(throwing)).isEqualTo(OfferResult.ACCEPTED);
    assertThat(group.member(primary).read(sum)).isEqualTo(OfferResult.ACCEPTED);
    Await.until("both are told", () -> calls.get() == 1 && sum.confirmed);
    group.send(11, 50);
    assertThat(group.primary()).isEqualTo(primary);
  }

  @Test
  void aReadOfWhatNobodyElseHasIsNeverConfirmed() {
    group =
        new TestGroup(
                TestGroup.patient().setLeaseMs(1_500).setTakeoverMs(2_000), 2, directory, true)
            .startAll();
    group.awaitInSync(2);
    group.send(1, 50);
    Sum sum = new Sum();
    int old = stallWhileItReads(sum);
    group.member(old).flush();
    Await.until(
        () -> "the backup takes over: " + group.describe(),
        () -> group.member(1 - old).stats().accepting());
    assertThat(group.member(old).read(new Sum())).isNotEqualTo(OfferResult.ACCEPTED);
    group.network.goOn(old, 1 - old);
    group.awaitInSync(2);
    assertThat(sum.value).isEqualTo(SUM_OF_50 + 51);
    assertThat(sum.lost).isTrue();
    assertThat(sum.confirmed).isFalse();
  }

  /** Again if the machine stood still just then, for so long that the lease was over. */
  private int stallWhileItReads(Sum sum) {
    while (true) {
      int primary = group.awaitPrimary();
      group.network.stall(primary, 1 - primary);
      OfferResult offered = group.offer(primary, 51);
      if ((offered == OfferResult.ACCEPTED || offered == OfferResult.PENDING)
          && group.member(primary).read(sum) == OfferResult.ACCEPTED) {
        return primary;
      }
      group.network.goOn(primary, 1 - primary);
    }
  }

  @Test
  void aReadChangesNothing() {
    group = new TestGroup(TestGroup.patient(), 1, directory, true).startAll();
    group.awaitInSync(1);
    group.send(1, 1);
    ByteBuffer value = ByteBuffer.allocate(8);
    assertThatThrownBy(() -> group.member(0).readHere(state -> state.put(1, value)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> group.member(0).readHere(state -> state.remove(1)))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(sumHere(0)).isEqualTo(1);
  }
}
