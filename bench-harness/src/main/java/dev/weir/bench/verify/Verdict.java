package dev.weir.bench.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether a figure counts: OK, or what was found against it. A low speed is never found against it.
 *
 * @param findings empty for OK
 */
public record Verdict(List<Finding> findings) {
  private static final Verdict OK = new Verdict(List.of());
  private static final String OK_NAME = "OK";

  /** What may be found, the gravest first. */
  public enum Kind {
    /** Something was lost, changed, repeated or out of order: the run fails. */
    FAIL,
    /** The rate that was asked for was not kept. */
    MISSED,
    /** The rounds differ too much. */
    UNSTABLE,
    /** The machine, the collector, the client or the floor disturbed the figure. */
    SUSPECT
  }

  /** One thing that was found. */
  public record Finding(Kind kind, String reason) {}

  /** Copies the findings. */
  public Verdict {
    findings = List.copyOf(findings);
  }

  /** The verdict OK. */
  public static Verdict ok() {
    return OK;
  }

  /** A failed verdict with one reason, not null. */
  public static Verdict fail(String reason) {
    return of(Kind.FAIL, reason);
  }

  /** A verdict with one finding; the reason is not null. */
  public static Verdict of(Kind kind, String reason) {
    return new Verdict(List.of(new Finding(kind, reason)));
  }

  /** The names of all verdicts, OK first. */
  public static List<String> names() {
    List<String> names = new ArrayList<>(List.of(OK_NAME));
    Arrays.stream(Kind.values()).map(Kind::name).forEach(names::add);
    return names;
  }

  /** This verdict, with a failure added when the condition does not hold. */
  public Verdict unless(boolean condition, String reason) {
    return unless(condition, Kind.FAIL, reason);
  }

  /** This verdict, with a finding added when the condition does not hold. */
  public Verdict unless(boolean condition, Kind kind, String reason) {
    return condition ? this : and(of(kind, reason));
  }

  /** Both: the findings of this one, then of the other. */
  public Verdict and(Verdict other) {
    if (other.isOk()) {
      return this;
    }
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(other.findings);
    return new Verdict(all);
  }

  /** The same findings, each with the place it comes from. */
  public Verdict in(String where) {
    return new Verdict(
        findings.stream()
            .map(finding -> new Finding(finding.kind, where + ": " + finding.reason))
            .toList());
  }

  /** The findings of this kind only. */
  public Verdict only(Kind kind) {
    return new Verdict(findings.stream().filter(finding -> finding.kind == kind).toList());
  }

  /** The findings that are not of this kind. */
  public Verdict without(Kind kind) {
    return new Verdict(findings.stream().filter(finding -> finding.kind != kind).toList());
  }

  /** Whether nothing was found. */
  public boolean isOk() {
    return findings.isEmpty();
  }

  /** Whether the run fails. */
  public boolean failed() {
    return findings.stream().anyMatch(finding -> finding.kind == Kind.FAIL);
  }

  /** All reasons. */
  public List<String> reasons() {
    return findings.stream().map(Finding::reason).toList();
  }

  /** {@code OK}, or the name of the gravest kind. */
  public String name() {
    return findings.stream()
        .map(Finding::kind)
        .min(Kind::compareTo)
        .map(Kind::name)
        .orElse(OK_NAME);
  }

  /** {@code OK} or {@code FAIL: reason; reason; SUSPECT: reason}: the form used in results. */
  @Override
  public String toString() {
    return isOk()
        ? OK_NAME
        : Arrays.stream(Kind.values())
            .map(this::only)
            .filter(of -> !of.isOk())
            .map(of -> of.name() + ": " + String.join("; ", of.reasons()))
            .collect(Collectors.joining("; "));
  }
}
