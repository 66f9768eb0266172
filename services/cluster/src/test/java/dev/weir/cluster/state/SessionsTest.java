package dev.weir.cluster.state;

import static dev.weir.cluster.state.Sessions.EXPIRED;
import static dev.weir.cluster.state.Sessions.FORGOTTEN;
import static dev.weir.cluster.state.Sessions.FULL;
import static dev.weir.cluster.state.Sessions.GAP;
import static dev.weir.cluster.state.Sessions.KNOWN;
import static dev.weir.cluster.state.Sessions.NEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.Allocation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private static final int MAX_BYTES = 5000;

  private static final long EXPIRY_MS = 10_000;

  private final Sessions sessions = newSessions(3, 2);
  private long timeMs = 1_000_000;

  private static Sessions newSessions(int window, int clients) {
    return new Sessions(window, MAX_BYTES, clients, EXPIRY_MS);
  }

  private void pass(long ms) {
    for (long passed = 0; passed < ms; passed += EXPIRY_MS / 10) {
      timeMs += EXPIRY_MS / 10;
      sessions.advance(timeMs);
    }
  }

  private void apply(long client, long sequence, int bytes) {
    apply(sessions, client, sequence, bytes, bytes);
  }

  private static void apply(Sessions sessions, long client, long sequence, int claim, int bytes) {
    ByteBuffer room = sessions.claim(client, claim);
    for (int i = 0; i < bytes; i++) {
      room.put(sessions.claimOffset() + i, content(client, sequence, i));
    }
    sessions.commit(client, sequence, bytes);
  }

  private static byte content(long client, long sequence, int i) {
    return (byte) (client * 31 + sequence * 7 + i);
  }

  private static byte[] reply(Sessions sessions) {
    byte[] reply = new byte[sessions.length()];
    sessions.buffer().get(sessions.offset(), reply);
    return reply;
  }

  private static byte[] expected(long client, long sequence, int bytes) {
    byte[] reply = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      reply[i] = content(client, sequence, i);
    }
    return reply;
  }

  @Test
  void aClientBeginsWithOne() {
    assertThat(sessions.check(7, 0)).isEqualTo(FORGOTTEN);
    assertThat(sessions.check(7, 1)).isEqualTo(NEXT);
    assertThat(sessions.check(7, 2)).isEqualTo(GAP);
    assertThat(sessions.find(7, 1)).isFalse();
    assertThat(sessions.size()).isZero();
  }

  @Test
  void theLastRepliesAreKept() {
    for (int sequence = 1; sequence <= 5; sequence++) {
      apply(7, sequence, 100 * sequence);
    }
    assertThat(sessions.check(7, 2)).isEqualTo(FORGOTTEN);
    assertThat(sessions.find(7, 2)).isFalse();
    assertThat(sessions.check(7, 3)).isEqualTo(KNOWN);
    assertThat(sessions.find(7, 3)).isTrue();
    assertThat(reply(sessions)).isEqualTo(expected(7, 3, 300));
    assertThat(sessions.check(7, 6)).isEqualTo(NEXT);
    assertThat(sessions.check(7, 7)).isEqualTo(GAP);
  }

  @Test
  void repliesThatTheClientHasAreNotKept() {
    for (int sequence = 1; sequence <= 3; sequence++) {
      apply(7, sequence, 100);
    }
    sessions.release(7, 3);
    assertThat(sessions.check(7, 2)).isEqualTo(FORGOTTEN);
    assertThat(sessions.find(7, 3)).isTrue();
    assertThat(reply(sessions)).isEqualTo(expected(7, 3, 100));
    sessions.release(7, 1);
    assertThat(sessions.check(7, 3)).as("what was said later counts").isEqualTo(KNOWN);
    sessions.release(7, Long.MAX_VALUE);
    assertThat(sessions.check(7, 3)).isEqualTo(FORGOTTEN);
    assertThat(sessions.check(7, 4)).isEqualTo(NEXT);
    sessions.release(7, Long.MIN_VALUE);
    sessions.release(8, 5);
    assertThat(sessions.check(8, 1)).as("a client that nobody knows").isEqualTo(NEXT);
    apply(7, 4, 100);
    assertThat(sessions.find(7, 4)).isTrue();
    assertThat(reply(sessions)).isEqualTo(expected(7, 4, 100));
  }

  @Test
  void memoryOfReleasedRepliesIsGivenBack() {
    Sessions busy = newSessions(1000, 2);
    assertThat(busy.replyBytes()).isZero();
    for (int sequence = 1; sequence <= 1000; sequence++) {
      apply(busy, 7, sequence, 1000, 1000);
    }
    assertThat(busy.replyBytes()).isGreaterThan(1_000_000);
    busy.release(7, 1001);
    assertThat(busy.replyBytes()).isLessThan(200);
    busy.commit(7, 1001, 0);
    apply(busy, 7, 1002, 200, 100);
    assertThat(busy.find(7, 1001)).isTrue();
    assertThat(busy.find(7, 1002)).isTrue();
    assertThat(reply(busy)).isEqualTo(expected(7, 1002, 100));
    busy.advance(timeMs);
    for (long ms = 0; ms <= EXPIRY_MS; ms += EXPIRY_MS / 10) {
      busy.advance(timeMs + ms);
    }
    assertThat(busy.size()).isZero();
    assertThat(busy.replyBytes()).as("of an expired client").isZero();
  }

  @Test
  void littleMemoryIsGivenBackWhenItWasOfNoUseBetweenTwoReleases() {
    Sessions calm = newSessions(1000, 2);
    for (int sequence = 1; sequence <= 100; sequence++) {
      apply(calm, 7, sequence, 100, 100);
    }
    long full = calm.replyBytes();
    calm.release(7, 100);
    assertThat(calm.replyBytes()).isEqualTo(full);
    calm.release(7, 101);
    assertThat(calm.replyBytes()).isLessThan(full / 4);
  }

  @Test
  void anEmptyReplyNeedsNoClaim() {
    sessions.commit(7, 1, 0);
    assertThat(sessions.find(7, 1)).isTrue();
    assertThat(sessions.length()).isZero();
  }

  @Test
  void aSecondClaimReplacesTheFirst() {
    sessions.claim(7, 10).put(sessions.claimOffset(), (byte) 99);
    apply(7, 1, 3000);
    assertThat(sessions.find(7, 1)).isTrue();
    assertThat(reply(sessions)).isEqualTo(expected(7, 1, 3000));
  }

  @Test
  void sessionsBeyondTheMaximumAreRestoredAndMakeRoomForTheNext() throws IOException {
    Sessions more = newSessions(3, 4);
    for (int client = 1; client <= 4; client++) {
      apply(more, client, 1, 10, 10);
    }
    Sessions fewer = copy(more, newSessions(3, 2));
    assertThat(fewer.size()).isEqualTo(4);
    apply(fewer, 5, 1, 10, 10);
    assertThat(fewer.size()).isEqualTo(2);
    assertThat(fewer.check(4, 1)).isEqualTo(KNOWN);
    assertThat(fewer.check(3, 1)).isEqualTo(EXPIRED);
    assertThat(fewer.check(2, 1)).isEqualTo(EXPIRED);
    assertThat(fewer.check(1, 1)).as("no more ids are kept").isEqualTo(FULL);
  }

  @Test
  void aClientBeyondTheMaximumIsRefusedAndNoOtherIsForgotten() {
    apply(1, 1, 10);
    apply(2, 1, 10);
    assertThat(sessions.check(3, 1)).isEqualTo(FULL);
    assertThat(sessions.check(3, 2)).isEqualTo(GAP);
    assertThat(sessions.check(1, 1)).isEqualTo(KNOWN);
    assertThat(sessions.check(1, 2)).isEqualTo(NEXT);
  }

  @Test
  void aClientWithoutMessagesForTooLongExpiresAndIsToldSo() {
    sessions.advance(1_000_000);
    apply(1, 1, 10);
    apply(2, 1, 10);
    pass(EXPIRY_MS / 2);
    // To be looked at is not to be active: only what is applied is the same on all replicas.
    assertThat(sessions.find(2, 1)).isTrue();
    apply(1, 2, 10);
    pass(EXPIRY_MS / 2);
    assertThat(sessions.size()).isEqualTo(1);
    assertThat(sessions.check(2, 1)).as("not applied twice").isEqualTo(EXPIRED);
    assertThat(sessions.check(2, 2)).isEqualTo(EXPIRED);
    assertThat(sessions.find(2, 1)).isFalse();
    assertThat(sessions.check(1, 3)).isEqualTo(NEXT);
    assertThat(sessions.check(3, 1)).as("there is room again").isEqualTo(NEXT);
  }

  @Test
  void aGroupThatWasDownForADayForgetsNobody() {
    sessions.advance(1_000_000);
    apply(1, 1, 10);
    sessions.advance(1_000_000 + 86_400_000);
    assertThat(sessions.check(1, 1)).isEqualTo(KNOWN);
    sessions.advance(5);
    assertThat(sessions.check(1, 1)).as("the clock goes back").isEqualTo(KNOWN);
  }

  @Test
  void asManyExpiredClientsAsAllowedOnesAreRemembered() {
    sessions.advance(1_000_000);
    for (int client = 1; client <= 3; client++) {
      apply(client, 1, 10);
      pass(EXPIRY_MS);
    }
    assertThat(sessions.size()).isZero();
    assertThat(sessions.check(1, 1)).isEqualTo(NEXT);
    assertThat(sessions.check(2, 1)).isEqualTo(EXPIRED);
    assertThat(sessions.check(3, 1)).isEqualTo(EXPIRED);
  }

  @Test
  void theLogDecidesWhereItWasWrittenWithOtherLimits() {
    sessions.advance(1_000_000);
    apply(1, 1, 10);
    pass(EXPIRY_MS);
    apply(1, 2, 10);
    apply(2, 7, 10);
    apply(3, 1, 10);
    assertThat(sessions.size()).as("the maximum").isEqualTo(2);
    assertThat(sessions.check(1, 2)).as("made room for the last").isEqualTo(EXPIRED);
    assertThat(sessions.check(2, 7)).isEqualTo(KNOWN);
    assertThat(sessions.check(2, 6)).isEqualTo(FORGOTTEN);
    assertThat(sessions.check(2, 8)).isEqualTo(NEXT);
  }

  @Test
  void timeAndExpiredClientsArePartOfTheSnapshot() throws IOException {
    sessions.advance(1_000_000);
    apply(1, 1, 10);
    pass(EXPIRY_MS);
    apply(2, 1, 10);
    sessions.reject(2, 2, ByteBuffer.wrap(new byte[] {'n', 'o'}), 0, 2);
    pass(EXPIRY_MS / 2);
    Sessions copied = copy(sessions, newSessions(3, 2));
    assertThat(copied.check(1, 1)).isEqualTo(EXPIRED);
    assertThat(copied.find(2, 1)).isTrue();
    assertThat(copied.isRejected()).isFalse();
    assertThat(copied.find(2, 2)).isTrue();
    assertThat(copied.isRejected()).isTrue();
    assertThat(reply(copied)).containsExactly('n', 'o');
    copied.advance(timeMs + EXPIRY_MS / 10);
    assertThat(copied.size()).isEqualTo(1);
    for (int i = 2; i <= 5; i++) {
      copied.advance(timeMs + i * EXPIRY_MS / 10);
    }
    assertThat(copied.size()).isZero();
  }

  /** What 0.1 wrote: int 1, clients, each with id, first sequence, replies. */
  @Test
  void sessionsOfTheLastReleaseAreRead() throws IOException {
    ByteBuffer old = ByteBuffer.allocate(100).putInt(1).putInt(1);
    old.putLong(7).putLong(4).putInt(2).putInt(1).put((byte) 9).putInt(0);
    sessions.restore(new DataInputStream(new ByteArrayInputStream(old.array())));
    assertThat(sessions.check(7, 3)).isEqualTo(FORGOTTEN);
    assertThat(sessions.find(7, 4)).isTrue();
    assertThat(reply(sessions)).containsExactly(9);
    assertThat(sessions.find(7, 5)).isTrue();
    sessions.advance(1_000_000);
    assertThat(sessions.check(7, 6)).isEqualTo(NEXT);
  }

  @Test
  void wrongCallsAreRefused() {
    assertThatThrownBy(() -> sessions.claim(1, MAX_BYTES + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxBytes is 5001, allowed is 0 to 5000");
    assertThatThrownBy(() -> sessions.claim(1, -1)).isInstanceOf(IllegalArgumentException.class);
    sessions.claim(1, 10);
    assertThatThrownBy(() -> sessions.commit(1, 1, 11))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a reply has 11 bytes, claimed are 10");
    sessions.commit(1, 1, 10);
    assertThatThrownBy(() -> sessions.commit(1, 3, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("client 1 is at sequence 2, committed is 3");
    assertThatThrownBy(() -> sessions.commit(1, 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a reply has 1 bytes, claimed are 0");
  }

  @Test
  void rubbishIsNotRestored() {
    byte[] rubbish = {0, 0, 0, 9, 0, 0, 0, 1};
    assertThatThrownBy(
            () -> sessions.restore(new DataInputStream(new ByteArrayInputStream(rubbish))))
        .isInstanceOf(IOException.class)
        .hasMessage("sessions have format 9 with 1 clients, known is up to 2");
  }

  @Test
  void allocateNothingInTheSteadyState() {
    Sessions busy = new Sessions(1000, 256, 8, EXPIRY_MS);
    long[] next = new long[4];
    Arrays.fill(next, 1);
    int[] turn = new int[1];
    Runnable message =
        () -> {
          int client = turn[0]++ & 3;
          busy.check(client, next[client]);
          ByteBuffer room = busy.claim(client, 256);
          int bytes = 100 + (turn[0] & 127);
          room.putLong(busy.claimOffset(), 42);
          busy.commit(client, next[client], bytes);
          busy.find(client, next[client]++);
          if ((next[client] & 63) == 0) {
            busy.release(client, next[client] - 8);
          }
        };
    for (int i = 0; i < 20_000; i++) {
      message.run();
    }
    assertThat(Allocation.bytesPerRun(10_000, message)).isZero();
  }

  @Test
  void aViewStaysAsItWasWhileItsClientsAreAnsweredRejectedAndExpire() throws IOException {
    apply(sessions, 1, 1, 50, 50);
    apply(sessions, 2, 1, 50, 50);
    SessionsView view = sessions.view();
    byte[] before = saved(view);
    sessions.commit(1, 2, 0);
    sessions.reject(2, 2, ByteBuffer.allocate(50), 0, 50);
    for (int sequence = 3; sequence < 40; sequence++) {
      apply(sessions, 1, sequence, 50, 50);
    }
    apply(sessions, 3, 1, 50, 50);
    for (int batch = 0; batch < 30; batch++) {
      sessions.advance(1 + batch * EXPIRY_MS);
    }
    assertThat(sessions.size()).isZero();
    assertThat(saved(view)).isEqualTo(before);
  }

  @Test
  void largeRepliesAreBoundedByBytesToo() {
    Sessions large = new Sessions(1 << 20, 4 << 20, 1, EXPIRY_MS);
    int fit = ReplyRing.MAX_KEPT_BYTES / (4 << 20);
    for (int sequence = 1; sequence <= fit + 10; sequence++) {
      large.claim(1, 4 << 20).putInt(large.claimOffset(), sequence);
      large.commit(1, sequence, 4 << 20);
    }
    assertThat(large.check(1, 10)).isEqualTo(FORGOTTEN);
    for (int sequence = 11; sequence <= fit + 10; sequence++) {
      assertThat(large.find(1, sequence)).isTrue();
      assertThat(large.buffer().getInt(large.offset())).isEqualTo(sequence);
    }
  }

  @Property(tries = 300)
  void behaveLikeTheModel(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 40) int window,
      @ForAll @IntRange(min = 7, max = 9) int clients)
      throws IOException {
    Random random = new Random(seed);
    Sessions tested = newSessions(window, clients);
    Model model = new Model(window);
    SessionsView view = tested.view();
    byte[] viewed = saved(view);
    for (int step = 0; step < 400; step++) {
      long client = random.nextInt(7) - 2;
      int bytes = random.nextInt(10) == 0 ? random.nextInt(MAX_BYTES) : random.nextInt(200);
      long sequence = model.next(client);
      apply(tested, client, sequence, Math.min(MAX_BYTES, bytes + random.nextInt(300)), bytes);
      model.apply(client, expected(client, sequence, bytes));
      if (random.nextInt(10) == 0) {
        long has = model.next(client) - random.nextInt(2 * window);
        tested.release(client, has);
        model.release(client, has);
      }
      if (step % 100 == 50) {
        assertThat(saved(view)).as("a view, after 100 changes").isEqualTo(viewed);
        tested = copy(tested, newSessions(window, clients));
        view = tested.view();
        viewed = saved(view);
      }
      model.compare(tested, random.nextInt(7) - 2);
    }
    assertThat(saved(view)).as("a view, after the last changes").isEqualTo(viewed);
    for (int client = -2; client < 5; client++) {
      model.compare(tested, client);
    }
    tested.restore(null);
    new Model(window).compare(tested, 1);
  }

  private static Sessions copy(Sessions from, Sessions to) throws IOException {
    byte[] saved = saved(from.view());
    apply(to, 1234, 1, 10, 10);
    ByteArrayInputStream in = new ByteArrayInputStream(saved);
    to.restore(new DataInputStream(in));
    assertThat(in.available()).isZero();
    assertThat(saved(to.view())).isEqualTo(saved);
    return to;
  }

  private static byte[] saved(SessionsView view) throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    view.save(new DataOutputStream(saved), 1);
    return saved.toByteArray();
  }

  private static final class Model {
    private final int window;
    private final Map<Long, List<byte[]>> clients = new HashMap<>();
    private final Map<Long, Long> released = new HashMap<>();

    Model(int window) {
      this.window = window;
    }

    long next(long client) {
      return clients.containsKey(client) ? clients.get(client).size() + 1 : 1;
    }

    void apply(long client, byte[] reply) {
      clients.computeIfAbsent(client, id -> new ArrayList<>()).add(reply);
    }

    void release(long client, long before) {
      released.merge(client, before, Math::max);
    }

    void compare(Sessions tested, long client) {
      List<byte[]> replies = clients.getOrDefault(client, List.of());
      int next = replies.size() + 1;
      long first = Math.max(Math.max(1, next - window), released.getOrDefault(client, 1L));
      for (int sequence = 0; sequence <= next + 1; sequence++) {
        int expected = GAP;
        if (sequence < next) {
          expected = sequence >= first ? KNOWN : FORGOTTEN;
        } else if (sequence == next) {
          expected = NEXT;
        }
        assertThat(tested.check(client, sequence)).isEqualTo(expected);
        assertThat(tested.find(client, sequence)).isEqualTo(expected == KNOWN);
        if (expected == KNOWN) {
          assertThat(reply(tested)).isEqualTo(replies.get(sequence - 1));
        }
      }
    }
  }
}
