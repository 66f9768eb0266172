package dev.weir.cluster.state;

import static dev.weir.cluster.state.Sessions.FORGOTTEN;
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
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private static final int MAX_BYTES = 5000;

  private final Sessions sessions = new Sessions(3, MAX_BYTES, 2);

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
  void theClientIdleLongestGoesFirst() {
    apply(1, 1, 10);
    apply(2, 1, 10);
    apply(1, 2, 10);
    // To be looked at is not to be active: only what is applied is the same on all replicas.
    assertThat(sessions.find(2, 1)).isTrue();
    apply(3, 1, 10);
    assertThat(sessions.size()).isEqualTo(2);
    assertThat(sessions.check(2, 2)).isEqualTo(GAP);
    assertThat(sessions.check(1, 3)).isEqualTo(NEXT);
    assertThat(sessions.check(3, 2)).isEqualTo(NEXT);
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
    assertThatThrownBy(() -> sessions.commit(1, 2, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("client 1 is at sequence 1, committed is 2");
    sessions.commit(1, 1, 10);
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
        .hasMessage("sessions have format 9 with 1 clients, known is 1");
  }

  @Test
  void allocateNothingInTheSteadyState() {
    Sessions busy = new Sessions(1000, 256, 8);
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
        };
    for (int i = 0; i < 20_000; i++) {
      message.run();
    }
    assertThat(Allocation.bytesPerRun(10_000, message)).isZero();
  }

  @Test
  void largeRepliesAreBoundedByBytesToo() {
    Sessions large = new Sessions(1 << 20, 4 << 20, 1);
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
      @ForAll @IntRange(min = 1, max = 5) int clients)
      throws IOException {
    Random random = new Random(seed);
    Sessions tested = new Sessions(window, MAX_BYTES, clients);
    Model model = new Model(window, clients);
    for (int step = 0; step < 400; step++) {
      long client = random.nextInt(7) - 2;
      int bytes = random.nextInt(10) == 0 ? random.nextInt(MAX_BYTES) : random.nextInt(200);
      long sequence = model.next(client);
      apply(tested, client, sequence, Math.min(MAX_BYTES, bytes + random.nextInt(300)), bytes);
      model.apply(client, expected(client, sequence, bytes));
      if (step % 100 == 50) {
        tested = copy(tested, new Sessions(window, MAX_BYTES, clients));
      }
      model.compare(tested, random.nextInt(7) - 2);
    }
    for (int client = -2; client < 5; client++) {
      model.compare(tested, client);
    }
    tested.restore(null);
    new Model(window, clients).compare(tested, 1);
  }

  private static Sessions copy(Sessions from, Sessions to) throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    from.save(new DataOutputStream(saved));
    apply(to, 1234, 1, 10, 10);
    ByteArrayInputStream in = new ByteArrayInputStream(saved.toByteArray());
    to.restore(new DataInputStream(in));
    assertThat(in.available()).isZero();
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    to.save(new DataOutputStream(again));
    assertThat(again.toByteArray()).isEqualTo(saved.toByteArray());
    return to;
  }

  private static final class Model {
    private final int window;
    private final int maxClients;
    private final LinkedHashMap<Long, List<byte[]>> clients = new LinkedHashMap<>(16, 0.75f, true);

    Model(int window, int maxClients) {
      this.window = window;
      this.maxClients = maxClients;
    }

    long next(long client) {
      return clients.containsKey(client) ? clients.get(client).size() + 1 : 1;
    }

    void apply(long client, byte[] reply) {
      clients.computeIfAbsent(client, id -> new ArrayList<>()).add(reply);
      if (clients.size() > maxClients) {
        Iterator<Map.Entry<Long, List<byte[]>>> oldest = clients.entrySet().iterator();
        oldest.next();
        oldest.remove();
      }
    }

    void compare(Sessions tested, long client) {
      List<byte[]> replies = List.of();
      for (Map.Entry<Long, List<byte[]>> entry : clients.entrySet()) {
        if (entry.getKey() == client) {
          replies = entry.getValue();
        }
      }
      int next = replies.size() + 1;
      for (int sequence = 0; sequence <= next + 1; sequence++) {
        int expected = GAP;
        if (sequence < next) {
          expected = sequence >= 1 && sequence >= next - window ? KNOWN : FORGOTTEN;
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
