package dev.weir.cluster.protocol;

/**
 * The steps of a {@link MemberChange}, one of which is under way at a time. A replaced member
 * leaves when its replacement is in sync, if there is a slot for both; otherwise it leaves first.
 */
final class MemberSteps {
  /**
   * One change of the members.
   *
   * @param needs bit set of members that must be in sync before the step begins
   * @param leaving bit set of the members that leave: they leave the in-sync set first
   * @param next the members after the step
   */
  record Step(int needs, int leaving, Membership next) {}

  private final Step[] steps;
  private int at;

  private MemberSteps(Step... steps) {
    this.steps = steps;
  }

  static MemberSteps of(MemberChange change, Membership now) {
    int free = MemberChange.free(now);
    int slot = change.out() == null ? -1 : now.slot(change.out());
    if (change.in() == null) {
      return new MemberSteps(new Step(0, 1 << slot, now.without(slot)));
    }
    if (slot < 0) {
      return new MemberSteps(
          new Step(
              0,
              0,
              change.witness() ? now.withWitness(free, change.in()) : now.with(free, change.in())));
    }
    if (change.isHalfMade(now)) {
      return new MemberSteps(new Step(1 << now.slot(change.in()), 1 << slot, now.without(slot)));
    }
    if (free < 0 || slot == now.witness()) {
      return new MemberSteps(new Step(0, 1 << slot, now.with(slot, change.in())));
    }
    Membership both = now.with(free, change.in());
    return new MemberSteps(
        new Step(0, 0, both), new Step(1 << free, 1 << slot, both.without(slot)));
  }

  boolean isOver() {
    return at == steps.length;
  }

  /** The members in use have changed; returns whether the step under way is made. */
  boolean made(Membership now) {
    boolean made = !isOver() && steps[at].next().equals(now);
    at += made ? 1 : 0;
    return made;
  }

  /** The step to be made with this in-sync set; null if there is none, or it has to wait. */
  Step due(int inSync, int minInSync) {
    if (isOver()) {
      return null;
    }
    Step step = steps[at];
    boolean mayBegin =
        (inSync & step.needs()) == step.needs()
            && Integer.bitCount(inSync & ~step.leaving()) >= minInSync;
    return mayBegin ? step : null;
  }
}
