package dev.weir.bench;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Tally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a map for many threads costs one thread. */
public final class LookupScenario implements Scenario {
  private static final int KEYS = 1_000;

  @Override
  public About about() {
    return About.of("lookup", "One thread looks keys up. xFloor: median over that of a HashMap.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    long lookups = context.scaled(1_000_000);
    Map<Integer, String> plain = fill(new HashMap<>());
    Map<Integer, String> concurrent = fill(new ConcurrentHashMap<>());
    // What is compared is measured in turn: round 1 of both, round 2 of both, and so on.
    List<Measurement> measured =
        context
            .rounds()
            .add(() -> lookUp(plain, lookups))
            .add(() -> lookUp(concurrent, lookups))
            .measure("lookup");
    Row floor = context.row(measured.get(0)).caseName("floor").path("HashMap");
    Row row = context.row(measured.get(1)).caseName("get").path("ConcurrentHashMap");
    context.report(floor);
    context.report(row.over(floor, "xFloor"));
  }

  private static Map<Integer, String> fill(Map<Integer, String> map) {
    for (int key = 0; key < KEYS; key++) {
      map.put(key, "value " + key);
    }
    return map;
  }

  /** One pass. What is not found is lost, and fails the row. */
  private static RoundResult lookUp(Map<Integer, String> map, long lookups) {
    long found = 0;
    long startNs = System.nanoTime();
    for (long i = 0; i < lookups; i++) {
      found += map.get((int) (i % KEYS)) == null ? 0 : 1;
    }
    long elapsedNs = System.nanoTime() - startNs;
    return RoundResult.of(
        "sequential", new Tally(lookups, lookups, found, 0, 0, 0, 0, null), elapsedNs);
  }
}
