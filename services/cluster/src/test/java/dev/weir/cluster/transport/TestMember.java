package dev.weir.cluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.protocol.Membership;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * A member with the transport under test. Its frames are numbered per member and filled so that a
 * damaged, missing, second or displaced one is seen.
 */
public final class TestMember implements Transport.Receiver, AutoCloseable {

  /** Called for each frame after it was checked. */
  public interface OnFrame {
    void accept(int from, ByteBuffer frame);
  }

  private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(20);

  private final Transport transport;
  private final AtomicLongArray sent;
  private final AtomicLongArray received;
  private final boolean[] connected;
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final Thread pump;
  private volatile OnFrame onFrame;
  private volatile boolean closed;

  public TestMember(TransportNode node, GroupOptions options, String self) {
    this(node, options, self, member -> (from, frame) -> {});
  }

  /**
   * @param onFrame what it does with frames from the first on
   */
  public TestMember(
      TransportNode node,
      GroupOptions options,
      String self,
      Function<TestMember, OnFrame> onFrame) {
    this.onFrame = onFrame.apply(this);
    transport = node.transport(options, self);
    sent = new AtomicLongArray(Membership.SLOTS);
    received = new AtomicLongArray(Membership.SLOTS);
    connected = new boolean[Membership.SLOTS];
    pump = new Thread(this::pump, "test-pump-" + self);
    transport.start(this);
    if (options.getWaiting() == Waiting.SPIN) {
      pump.start();
    }
  }

  private void pump() {
    while (!closed) {
      if (transport.poll() == 0) {
        LockSupport.parkNanos(IDLE_NS);
      }
    }
  }

  /** The group has these members from now on. */
  public void members(String... names) {
    transport.members(new Membership(List.of(names), -1));
  }

  public void onFrame(OnFrame onFrame) {
    this.onFrame = onFrame;
  }

  public List<String> events() {
    return events;
  }

  public long received(int from) {
    return received.get(from);
  }

  public long sent(int to) {
    return sent.get(to);
  }

  /**
   * Sends the next frame; false if it was not taken. One at a time, because the answer may come,
   * and be answered, before it returns.
   */
  public synchronized boolean send(int to, ByteBuffer buffer, int bytes) {
    long number = sent.get(to);
    fill(buffer, number, bytes);
    if (!connected[to] || !transport.send(to, buffer)) {
      return false;
    }
    assertThat(buffer.remaining()).isEqualTo(bytes);
    sent.set(to, number + 1);
    return true;
  }

  /** Sends the next frame as soon as it is taken. */
  public void sendAll(int to, ByteBuffer buffer, int bytes) {
    Await.until("frame " + sent.get(to) + " is taken", () -> send(to, buffer, bytes));
  }

  private static void fill(ByteBuffer buffer, long number, int bytes) {
    buffer.clear().limit(bytes);
    buffer.putLong(0, number);
    for (int i = Long.BYTES; i < bytes; i++) {
      buffer.put(i, (byte) (number + i));
    }
  }

  private String check(int from, ByteBuffer frame) {
    long number = frame.getLong(frame.position());
    if (number != received.get(from)) {
      return "frame " + number + " came where " + received.get(from) + " was due";
    }
    for (int i = Long.BYTES; i < frame.remaining(); i++) {
      if (frame.get(frame.position() + i) != (byte) (number + i)) {
        return "frame " + number + " is damaged at " + i;
      }
    }
    return null;
  }

  @Override
  public void onFrame(int from, ByteBuffer frame) {
    String fault = check(from, frame);
    if (fault != null) {
      faults.add(fault);
    }
    onFrame.accept(from, frame);
    received.set(from, frame.getLong(frame.position()) + 1);
  }

  @Override
  public synchronized void onConnected(int member) {
    // What was sent before may be missing: both begin anew.
    sent.set(member, 0);
    received.set(member, 0);
    connected[member] = true;
    events.add("connected " + member);
  }

  @Override
  public synchronized void onLost(int member) {
    connected[member] = false;
    events.add("lost " + member);
  }

  @Override
  public void onRefused(int member) {
    events.add("refused " + member);
  }

  public void awaitEvent(String event) {
    awaitEvent(event, 1);
  }

  public void awaitEvent(String event, int times) {
    Await.until(
        event + " " + times + " times in " + events,
        () -> events.stream().filter(event::equals).count() >= times);
  }

  public void awaitReceived(int from, long frames) {
    Await.until(
        frames + " frames of " + from + ", faults " + faults,
        () -> received.get(from) >= frames || !faults.isEmpty());
    assertThat(faults).isEmpty();
  }

  @Override
  public void close() {
    transport.close();
    closed = true;
    Await.until("the pump ends", () -> !pump.isAlive());
    assertThat(faults).isEmpty();
  }
}
