package dev.weir.bench;

import dev.weir.bench.verify.Verdict;

/** A scenario that does what the test says. */
class FakeScenario implements Scenario {
  private final String name;
  private final Body body;

  FakeScenario(String name, Body body) {
    this.name = name;
    this.body = body;
  }

  static FakeScenario withVerdict(String name, Verdict verdict) {
    return new FakeScenario(name, context -> context.report(context.row().verdict(verdict)));
  }

  @Override
  public About about() {
    return About.of(name, "says " + name);
  }

  @Override
  public void run(RunContext context) throws Exception {
    body.run(context);
  }

  interface Body {
    void run(RunContext context) throws Exception;
  }
}
