package dev.weir.bench.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether a figure counts: OK, or the reasons why not. A speed is never a reason.
 *
 * @param reasons empty for OK
 */
public record Verdict(List<String> reasons) {
  private static final Verdict OK = new Verdict(List.of());

  /** Copies the reasons. */
  public Verdict {
    reasons = List.copyOf(reasons);
  }

  /** The verdict OK. */
  public static Verdict ok() {
    return OK;
  }

  /** A failed verdict with one reason, not null. */
  public static Verdict fail(String reason) {
    return new Verdict(List.of(reason));
  }

  /** This verdict, with the reason added when the condition does not hold. */
  public Verdict unless(boolean condition, String reason) {
    return condition ? this : and(fail(reason));
  }

  /** Both: the reasons of this one, then of the other. */
  public Verdict and(Verdict other) {
    if (other.isOk()) {
      return this;
    }
    List<String> all = new ArrayList<>(reasons);
    all.addAll(other.reasons);
    return new Verdict(all);
  }

  /** The same reasons, each with the place it comes from. */
  public Verdict in(String where) {
    return new Verdict(reasons.stream().map(reason -> where + ": " + reason).toList());
  }

  /** Whether there is no reason. */
  public boolean isOk() {
    return reasons.isEmpty();
  }

  /** {@code OK} or {@code FAIL: reason; reason}: the form used in results. */
  @Override
  public String toString() {
    return isOk() ? "OK" : "FAIL: " + String.join("; ", reasons);
  }
}
