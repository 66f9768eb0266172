package dev.weir.group.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.group.placement.ShardMoves.Situation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Shards are moved in a simulated cluster in which members join, leave, are killed and come back,
 * and in which steps fail, are late, and are taken by coordinators that know nothing of the ones
 * before. A seed gives the run.
 */
class ShardMovesSimulationTest {
  private static final int SEEDS = 100;
  private static final int EVENTS = 300;
  private static final int MOST_QUIET_STEPS = 4_000;

  /** One group: what its members know together. */
  private static final class Group {
    final List<String> places = new ArrayList<>(Collections.nCopies(3, ""));
    final Set<String> inSync = new TreeSet<>();

    /** A member that leaves when the one that replaces it is in sync: the primary remembers it. */
    String leaving;

    String coming;
    String primary;

    /** Null for none. */
    String witness;

    long epoch = 1;
    long version;

    List<String> members() {
      return places.stream().filter(name -> !name.isEmpty()).toList();
    }

    List<String> holders() {
      return members().stream().filter(name -> !name.equals(witness)).toList();
    }
  }

  /** A step on its way to the primary. */
  private record OnItsWay(MoveStep step, long arrives) {}

  private static final class World {
    final Random random;
    final int copies;
    final boolean hasWitnesses;
    final int perMember;
    final List<Group> groups = new ArrayList<>();
    final Set<String> alive = new TreeSet<>();
    final List<OnItsWay> asked = new ArrayList<>();

    /** By shard: the member to which a move has brought a replica that is not in sync yet. */
    final Map<Integer, String> moving = new HashMap<>();

    /** Whether some shards are unknown to a coordinator: then it cannot keep the limit. */
    final boolean hides;

    ShardPlan plan;
    long now;
    int names;

    World(long seed) {
      random = new Random(seed);
      hides = seed % 2 == 0;
      copies = 1 + random.nextInt(3);
      hasWitnesses = copies == 2 && random.nextBoolean();
      perMember = 1 + random.nextInt(2);
      List<String> members = new ArrayList<>();
      for (int i = copies + random.nextInt(3); i > 0; i--) {
        members.add("m" + names++);
      }
      alive.addAll(members);
      int shards = 1 + random.nextInt(24);
      plan = new ShardPlan(0, ShardPlacement.first("s", shards, copies, hasWitnesses, members));
      for (int shard = 0; shard < plan.placement().shards(); shard++) {
        Group group = new Group();
        List<String> holders = plan.placement().members(shard);
        for (int i = 0; i < holders.size(); i++) {
          group.places.set(i, holders.get(i));
        }
        group.inSync.addAll(holders);
        group.primary = holders.get(0);
        group.witness = plan.placement().witness(shard);
        if (group.witness != null) {
          group.places.set(2, group.witness);
        }
        groups.add(group);
      }
    }

    /** What a coordinator sees; some shards may be unknown to it. */
    Situation seen(boolean all) {
      List<ShardStatus> shards = new ArrayList<>();
      for (int shard = 0; shard < groups.size(); shard++) {
        Group group = groups.get(shard);
        shards.add(
            all || !hides || random.nextInt(10) > 0
                ? new ShardStatus(
                    shard,
                    group.epoch,
                    group.version++,
                    group.primary,
                    new ShardPlaces(group.places, group.witness),
                    List.copyOf(group.inSync))
                : null);
      }
      return new Situation(
          shards, alive, asked.stream().map(OnItsWay::step).toList(), new HashSet<>());
    }

    void coordinate(boolean isQuiet) {
      if (!isQuiet && random.nextInt(20) == 0) {
        // The next coordinator knows nothing of what this one asked for; the steps may arrive yet.
        asked.stream().filter(each -> random.nextBoolean()).forEach(each -> run(each.step()));
        asked.clear();
      }
      for (MoveStep step : new ShardMoves(plan.placement(), perMember).next(seen(isQuiet))) {
        asked.add(new OnItsWay(step, now + random.nextInt(4)));
      }
      for (OnItsWay each : List.copyOf(asked)) {
        if (each.arrives() <= now) {
          asked.remove(each);
          if (isQuiet || random.nextInt(8) > 0) {
            run(each.step());
          }
        }
      }
    }

    /** What the primary of a group does, or refuses, as ProcessorGroup does. */
    void run(MoveStep step) {
      Group group = groups.get(step.shard());
      if (!group.primary.equals(step.primary()) || !alive.contains(group.primary)) {
        return;
      }
      if (step.isHandOver()) {
        // The named member; if it is not in sync any more, nobody.
        if (group.inSync.contains(step.to()) && alive.contains(step.to())) {
          lead(group, step.to());
        }
        return;
      }
      if (step.out() != null && !group.members().contains(step.out())
          || group.primary.equals(step.out())
          || step.in() != null && membersBeside(step, group).contains(step.in())) {
        return;
      }
      if (step.in() != null && !alive.contains(step.in())) {
        return;
      }
      if (step.asWitness()) {
        takeWitness(step, group);
        return;
      }
      int free = group.places.indexOf("");
      boolean isFull = free < 0 && !step.isBarredBy(group.witness);
      if (step.out() != null && (step.in() == null || isFull) && !mayLeave(group, step.out())) {
        return;
      }
      if (step.isBarredBy(group.witness)) {
        group.places.set(group.places.indexOf(group.witness), "");
        group.witness = null;
        free = group.places.indexOf("");
      }
      // A change that waits for its new member gives way to another one.
      group.coming = null;
      group.leaving = null;
      if (step.in() != null && (free >= 0 || step.out() != null)) {
        begin(step, group, free);
      } else if (step.in() == null) {
        leave(step.shard(), group, step.out());
      }
    }

    /** A witness that has to leave may come back as a holder. */
    private static List<String> membersBeside(MoveStep step, Group group) {
      return step.isBarredBy(group.witness) ? group.holders() : group.members();
    }

    private static void takeWitness(MoveStep step, Group group) {
      boolean replaces = group.witness != null && group.witness.equals(step.out());
      boolean isThird = step.out() == null && group.witness == null && group.members().size() == 2;
      if (replaces || isThird) {
        group.places.set(group.places.indexOf(replaces ? step.out() : ""), step.in());
        group.witness = step.in();
      }
    }

    /** What is known of the shard may be old: so the primary looks once more. */
    private static boolean mayLeave(Group group, String out) {
      Set<String> staying = new TreeSet<>(group.members());
      staying.remove(out);
      staying.removeIf(each -> each.equals(group.witness));
      return !group.inSync.contains(out) || group.inSync.containsAll(staying);
    }

    private void begin(MoveStep step, Group group, int free) {
      if (free >= 0) {
        group.places.set(free, step.in());
        group.coming = step.out() == null ? null : step.in();
        group.leaving = step.out();
      } else {
        int place = group.places.indexOf(step.out());
        leave(step.shard(), group, step.out());
        group.places.set(place, step.in());
      }
      moving.put(step.shard(), step.in());
      long gets = moving.values().stream().filter(step.in()::equals).count();
      assertThat(hides || gets <= perMember)
          .as("%s gets %s replicas at a time", step.in(), gets)
          .isTrue();
    }

    /** A replica that is in sync leaves only when all that stay are in sync. */
    void leave(int shard, Group group, String out) {
      boolean wasInSync = group.inSync.remove(out);
      group.places.set(group.places.indexOf(out), "");
      if (out.equals(group.witness)) {
        group.witness = null;
      }
      moving.remove(shard, out);
      assertThat(!wasInSync || group.inSync.containsAll(group.holders()))
          .as("shard %s without %s has %s, in sync are %s", shard, out, group.places, group.inSync)
          .isTrue();
    }

    void lead(Group group, String next) {
      group.primary = next;
      group.epoch++;
      group.coming = null;
      group.leaving = null;
    }

    /** Members catch up, silent ones are left out, and lost primaries are succeeded. */
    void passTime() {
      now++;
      for (int shard = 0; shard < groups.size(); shard++) {
        Group group = groups.get(shard);
        if (!alive.contains(group.primary)) {
          group.inSync.stream().filter(alive::contains).findAny().ifPresent(n -> lead(group, n));
        }
        if (!alive.contains(group.primary)) {
          continue;
        }
        group.inSync.removeIf(each -> !alive.contains(each));
        assertThat(group.witness == null || group.holders().size() == 2)
            .as("the witness %s is beside %s", group.witness, group.holders())
            .isTrue();
        for (String member : group.holders()) {
          if (alive.contains(member) && random.nextInt(6) == 0) {
            group.inSync.add(member);
            moving.remove(shard, member);
          }
        }
        if (group.coming != null && group.inSync.contains(group.coming)) {
          leave(shard, group, group.leaving);
          group.coming = null;
          group.leaving = null;
        }
      }
    }

    void disturb() {
      switch (random.nextInt(12)) {
        case 0 -> {
          String joins = "m" + names++;
          alive.add(joins);
          plan = plan.added(joins, 1000);
        }
        case 1 -> {
          List<String> members = plan.placement().members();
          if (members.size() > copies) {
            plan = plan.removed(members.get(random.nextInt(members.size())), copies);
          }
        }
        case 2 -> {
          List<String> members = List.copyOf(alive);
          if (members.size() > 1) {
            alive.remove(members.get(random.nextInt(members.size())));
          }
        }
        case 3, 4 -> alive.addAll(everyone());
        case 5 -> moveOne();
        default -> {}
      }
    }

    private void moveOne() {
      int shard = random.nextInt(groups.size());
      List<String> holders = plan.placement().members(shard);
      plan.placement().members().stream()
          .filter(each -> !holders.contains(each))
          .filter(each -> !each.equals(plan.placement().witness(shard)))
          .findAny()
          .ifPresent(to -> plan = plan.moved(shard, holders.get(0), to));
    }

    Set<String> everyone() {
      Set<String> all = new TreeSet<>(plan.placement().members());
      groups.forEach(group -> all.addAll(group.members()));
      return all;
    }

    boolean isInPlace() {
      return new ShardMoves(plan.placement(), perMember).left(seen(true)) == 0;
    }
  }

  @Test
  void shardsComeToTheirPlacesWhateverHappensOnTheWay() {
    Map<String, Integer> seen = new TreeMap<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      World world = new World(seed);
      try {
        for (int i = 0; i < EVENTS; i++) {
          world.disturb();
          world.coordinate(false);
          world.passTime();
        }
        world.alive.addAll(world.everyone());
        int steps = 0;
        while (!world.isInPlace()) {
          assertThat(steps++).as("steps without a disturbance").isLessThan(MOST_QUIET_STEPS);
          world.coordinate(true);
          world.passTime();
        }
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      seen.merge(world.copies + " copies, " + world.hasWitnesses, 1, Integer::sum);
    }
    assertThat(seen).as("with and without witnesses").hasSize(4);
  }
}
