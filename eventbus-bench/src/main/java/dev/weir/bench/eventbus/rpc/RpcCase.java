package dev.weir.bench.eventbus.rpc;

import dev.weir.bench.Profile;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import java.util.ArrayList;
import java.util.List;

/**
 * One of the eight cases: one-way or two-way, in one of four sizes.
 *
 * @param twoWay whether the reply is the body, or the boolean true
 * @param size which of the four sizes, from 0
 */
public record RpcCase(boolean twoWay, int size) {
  /** How many sizes there are. */
  static final int SIZES = 4;

  private static final int[] ONE_WAY_BYTES = {74, 10_071, 100_073, 500_073};
  private static final int[] TWO_WAY_BYTES = {71, 10_068, 100_070, 500_070};
  private static final int[] IN_FLIGHT = {10_000, 5_000, 1_000, 400};
  private static final long[] BUFFERS = {100_000, 30_000, 6_000, 2_000};
  private static final long[] PARCELS = {100_000, 60_000, 60_000, 30_000};
  private static final long[] WRITTEN = {100_000, 30_000, 6_000, 2_000};
  private static final int[] TURNS = {1, 1, 1, 4};
  private static final int FULL_FACTOR = 2;

  /** Passes that fill the disk tier again and again say more of it than many that begin empty. */
  private static final int FULL_WRITTEN_FACTOR = 10;

  private static final String[] SIZE_NAMES = {"Small", "Medium", "Large", "Extra large"};

  /** One-way before two-way, by size. */
  public static List<RpcCase> all() {
    List<RpcCase> cases = new ArrayList<>();
    for (boolean twoWay : new boolean[] {false, true}) {
      for (int size = 0; size < SIZES; size++) {
        cases.add(new RpcCase(twoWay, size));
      }
    }
    return cases;
  }

  /** The name in the results. */
  String label() {
    return twoWay ? "two-way" : "one-way";
  }

  /** The name in the text, in the wording of Mercury's report. */
  String sentence() {
    return String.format(
        "%s payload %s of %,d bytes", SIZE_NAMES[size], twoWay ? "2-way" : "one-way", bytes());
  }

  public int bytes() {
    return (twoWay ? TWO_WAY_BYTES : ONE_WAY_BYTES)[size];
  }

  /** Requests outstanding at any time: far more than there are workers. */
  public int inFlight() {
    return IN_FLIGHT[size];
  }

  /**
   * Turns of the event loop for which a handler keeps its worker busy. A request takes two more
   * turns, there and back. With few requests in flight, one turn would leave workers idle, and no
   * queue would form.
   */
  public int turns() {
    return TURNS[size];
  }

  /**
   * The heap that the disk tier may count on. It reads as much ahead as the heap allows; of small
   * bodies that would be all that wait, and none would be read from a file.
   */
  long heapBytes() {
    return size == 0 ? ServiceFixture.SMALL_HEAP_BYTES : ServiceFixture.SHARED_HEAP_BYTES;
  }

  /** Requests in one round: more where nothing is copied, fewer where all goes to disk. */
  long operations(Profile profile, Bodies.Kind kind, RequestPath path) {
    long[] bySize = kind == Bodies.Kind.BUFFER ? BUFFERS : PARCELS;
    long quick = (path == RequestPath.OVERFLOW_WRITTEN ? WRITTEN : bySize)[size];
    int factor = path == RequestPath.OVERFLOW_WRITTEN ? FULL_WRITTEN_FACTOR : FULL_FACTOR;
    return profile.pick(quick, factor * quick);
  }
}
