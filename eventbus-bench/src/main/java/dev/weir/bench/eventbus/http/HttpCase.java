package dev.weir.bench.eventbus.http;

import dev.weir.bench.Profile;
import dev.weir.bench.eventbus.rpc.RpcCase;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One case: protocol, kind and size of the body, and what the answer is.
 *
 * @param twoWay whether the answer is the body, or the JSON value true
 */
public record HttpCase(HttpProtocol protocol, HttpBody body, boolean twoWay, int bytes) {
  /** The size of the state that Xenon was measured with. */
  public static final int STATE_BYTES = 330;

  private static final int STATE_ROUNDS = 5;
  private static final int SIZE_ROUNDS = 3;
  private static final int FULL_ROUNDS = 10;
  private static final int FULL_FACTOR = 2;

  private static final int[] UP_TO_BYTES = {1_000, 20_000, 200_000, Integer.MAX_VALUE};
  private static final int[] IN_FLIGHT = {64, 64, 32, 16};
  private static final long[] JSON_OPERATIONS = {8_000, 1_500, 200, 48};
  private static final long[] BINARY_OPERATIONS = {8_000, 4_000, 1_000, 250};

  /**
   * The state on every protocol, and in the full profile the four sizes of {@link RpcCase}: one-way
   * on every protocol, two-way over HTTP/1.1.
   */
  static List<HttpCase> all(Profile profile) {
    Set<HttpCase> cases = new LinkedHashSet<>(states());
    for (HttpProtocol protocol : HttpProtocol.values()) {
      if (profile == Profile.FULL) {
        for (HttpBody body : HttpBody.values()) {
          RpcCase.all().stream()
              .filter(rpc -> protocol == HttpProtocol.HTTP1 || !rpc.twoWay())
              .forEach(rpc -> cases.add(of(protocol, body, rpc)));
        }
      }
    }
    return List.copyOf(cases);
  }

  private static HttpCase of(HttpProtocol protocol, HttpBody body, RpcCase rpc) {
    return new HttpCase(protocol, body, rpc.twoWay(), rpc.bytes());
  }

  /** A state in JSON, one-way and two-way, on every protocol. */
  static List<HttpCase> states() {
    List<HttpCase> cases = new ArrayList<>();
    for (HttpProtocol protocol : HttpProtocol.values()) {
      cases.add(new HttpCase(protocol, HttpBody.JSON, false, STATE_BYTES));
      cases.add(new HttpCase(protocol, HttpBody.JSON, true, STATE_BYTES));
    }
    return cases;
  }

  /** Whether the body has the size of the state. */
  boolean isState() {
    return bytes == STATE_BYTES;
  }

  /** Whether this is the case that Xenon was measured with. */
  boolean isXenons() {
    return protocol == HttpProtocol.HTTP1 && body == HttpBody.JSON && !twoWay && isState();
  }

  /** The name of the case in the results. */
  String label() {
    return protocol + (twoWay ? "-two-way" : "-one-way");
  }

  /** Requests outstanding at any time. */
  int inFlight() {
    return IN_FLIGHT[size()];
  }

  /** Measured rounds. */
  int rounds(Profile profile) {
    return profile.pick(isState() ? STATE_ROUNDS : SIZE_ROUNDS, FULL_ROUNDS);
  }

  /** Requests in one round. */
  long operations(Profile profile) {
    long quick = (body == HttpBody.JSON ? JSON_OPERATIONS : BINARY_OPERATIONS)[size()];
    return profile.pick(quick, FULL_FACTOR * quick);
  }

  private int size() {
    int size = 0;
    while (bytes > UP_TO_BYTES[size]) {
      size++;
    }
    return size;
  }
}
