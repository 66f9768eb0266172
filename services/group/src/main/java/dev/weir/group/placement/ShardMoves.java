package dev.weir.group.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Decides which steps bring the replicas of a service to where the plan has them. It looks at what
 * the shards are at the moment and remembers nothing: so a step that failed is taken again, and
 * another member can go on at any time.
 *
 * <ul>
 *   <li>A shard has one change at a time.
 *   <li>A replica that is not lost leaves only when all that stay are in sync, and so is the one
 *       that takes its place. In a group of {@value ShardPlaces#MOST} no place is left for that
 *       one, so there the old replica leaves first.
 *   <li>A witness leaves in the step in which a replica comes or goes. One joins when all replicas
 *       are in place, or while one of them is away: the planned one, else another one.
 *   <li>A member sends or gets at most so many replicas at a time as the limit says.
 *   <li>Shards with the fewest members in sync come first.
 * </ul>
 */
public final class ShardMoves {
  private final ShardPlacement wanted;
  private final int perMember;

  /**
   * What is known of the service at one moment.
   *
   * @param shards by shard; null for one without a known primary
   * @param alive members that can be reached
   * @param asked steps that were asked for and not answered yet
   * @param resting members that must not begin to send or get a replica yet
   */
  public record Situation(
      List<ShardStatus> shards,
      Set<String> alive,
      Collection<MoveStep> asked,
      Set<String> resting) {}

  /**
   * @param perMember how many replicas a member sends or gets at a time, 1 or more
   */
  public ShardMoves(ShardPlacement wanted, int perMember) {
    this.wanted = wanted;
    this.perMember = perMember;
  }

  /** The steps to be asked for now, each of another shard. */
  public List<MoveStep> next(Situation now) {
    Map<String, Integer> copying = copying(now);
    Set<Integer> asked = now.asked().stream().map(MoveStep::shard).collect(Collectors.toSet());
    List<MoveStep> possible =
        now.shards().stream()
            .filter(Objects::nonNull)
            .filter(status -> !asked.contains(status.shard()))
            .filter(status -> now.alive().contains(status.primary()))
            .sorted(
                Comparator.comparingInt((ShardStatus status) -> status.inSync().size())
                    .thenComparingInt(ShardStatus::shard))
            .map(status -> step(status, now.alive()))
            .filter(Objects::nonNull)
            .toList();
    List<MoveStep> steps = new ArrayList<>();
    for (MoveStep step : possible) {
      if (!step.copies()) {
        steps.add(step);
      } else if (hasRoom(step.in(), copying, now) && hasRoom(step.primary(), copying, now)) {
        copying.merge(step.in(), 1, Integer::sum);
        copying.merge(step.primary(), 1, Integer::sum);
        steps.add(step);
      } else {
        vote(now.shards().get(step.shard()), now.alive()).ifPresent(steps::add);
      }
    }
    return steps;
  }

  /** A witness for a shard that waits for its turn and has none that is there. */
  private Optional<MoveStep> vote(ShardStatus status, Set<String> alive) {
    boolean has = status.witness() != null && alive.contains(status.witness());
    return has || status.holders().size() != 2
        ? Optional.empty()
        : Optional.ofNullable(ofWitness(status, alive)).filter(MoveStep::asWitness);
  }

  private boolean hasRoom(String member, Map<String, Integer> copying, Situation now) {
    return copying.getOrDefault(member, 0) < perMember && !now.resting().contains(member);
  }

  /** By member: how many replicas it sends or gets at the moment. */
  private Map<String, Integer> copying(Situation now) {
    Map<String, Integer> copying = new HashMap<>();
    for (ShardStatus status : now.shards()) {
      for (String member : status == null ? List.<String>of() : status.holders()) {
        if (!status.inSync().contains(member) && now.alive().contains(member)) {
          copying.merge(member, 1, Integer::sum);
          if (wanted.members(status.shard()).contains(member)) {
            // One that has to go must not keep the primary from sending to its successor.
            copying.merge(status.primary(), 1, Integer::sum);
          }
        }
      }
    }
    for (MoveStep step : now.asked()) {
      ShardStatus status = now.shards().get(step.shard());
      // Who is a member already is counted above, or is in sync.
      if (step.copies() && (status == null || !status.holders().contains(step.in()))) {
        copying.merge(step.in(), 1, Integer::sum);
        copying.merge(step.primary(), 1, Integer::sum);
      }
    }
    return copying;
  }

  /** The next step of a shard; null if there is none, or it has to wait. */
  private MoveStep step(ShardStatus status, Set<String> alive) {
    List<String> members = status.holders();
    List<String> target = wanted.members(status.shard());
    List<String> missing = without(target, members);
    List<String> surplus = without(members, target);
    if (missing.isEmpty()) {
      return surplus.isEmpty()
          ? ofWitness(status, alive)
          : leave(status, first(status, surplus), target, alive);
    }
    List<String> staying = without(members, surplus);
    String in = missing.stream().filter(alive::contains).findFirst().orElse(null);
    boolean catchesUp =
        staying.stream().anyMatch(each -> !status.inSync().contains(each) && alive.contains(each));
    if (in == null && members.size() == 2) {
      return ofWitness(status, alive);
    }
    if (in == null || catchesUp) {
      return null;
    }
    boolean isFull = members.size() == ShardPlaces.MOST;
    if (surplus.isEmpty()) {
      return isFull ? null : new MoveStep(status.shard(), status.primary(), null, in);
    }
    String out = first(status, surplus);
    if (isFull && mayBeNeeded(status, out, alive) && !status.inSync().containsAll(staying)) {
      return null;
    }
    if (!out.equals(status.primary())) {
      return new MoveStep(status.shard(), status.primary(), out, in);
    }
    String successor = successor(status, target, alive);
    if (successor != null) {
      return MoveStep.handOver(status.shard(), status.primary(), successor);
    }
    return isFull ? null : new MoveStep(status.shard(), status.primary(), null, in);
  }

  /** The step of the witness of a shard whose replicas do not move now; null for none. */
  private MoveStep ofWitness(ShardStatus status, Set<String> alive) {
    int shard = status.shard();
    String planned = wanted.witness(shard);
    String present = status.witness();
    if (Objects.equals(present, planned)) {
      return null;
    }
    if (planned == null) {
      return new MoveStep(shard, status.primary(), present, null);
    }
    Stream<String> others =
        present == null || !alive.contains(present) ? wanted.members().stream() : Stream.empty();
    return Stream.concat(Stream.of(planned), others)
        .filter(alive::contains)
        .filter(each -> !status.members().contains(each))
        .filter(each -> !wanted.members(shard).contains(each))
        .findFirst()
        .map(in -> MoveStep.witness(shard, status.primary(), present, in))
        .orElse(null);
  }

  /** A member that is lost leaves at once; one that is not may be in sync in a moment. */
  private static boolean mayBeNeeded(ShardStatus status, String member, Set<String> alive) {
    return status.inSync().contains(member) || alive.contains(member);
  }

  /** A member leaves, and none has to come. */
  private static MoveStep leave(
      ShardStatus status, String out, List<String> target, Set<String> alive) {
    if (mayBeNeeded(status, out, alive) && !status.inSync().containsAll(target)) {
      return null;
    }
    if (!out.equals(status.primary())) {
      return new MoveStep(status.shard(), status.primary(), out, null);
    }
    String successor = successor(status, target, alive);
    return successor == null
        ? null
        : MoveStep.handOver(status.shard(), status.primary(), successor);
  }

  /** Who takes over from a primary that leaves; null if none of those that stay can. */
  private static String successor(ShardStatus status, List<String> target, Set<String> alive) {
    return target.stream()
        .filter(each -> status.inSync().contains(each) && alive.contains(each))
        .findFirst()
        .orElse(null);
  }

  /** Which member leaves first: one that is not in sync, else one that is not primary. */
  private static String first(ShardStatus status, List<String> surplus) {
    return surplus.stream()
        .min(
            Comparator.comparing((String each) -> status.inSync().contains(each))
                .thenComparing(each -> each.equals(status.primary()))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  private static List<String> without(List<String> names, Collection<String> others) {
    return names.stream().filter(name -> !others.contains(name)).toList();
  }

  /**
   * The primaries that are to give their roles to other members, so that roles are levelled: to the
   * preferred primaries, as those are spread over the members. It ends when no member has two roles
   * more than another one.
   *
   * @param except shards whose roles stay as they are
   * @return none while replicas have to move
   */
  public List<MoveStep> level(Situation now, Set<Integer> except) {
    List<MoveStep> steps = new ArrayList<>();
    if (left(now) > 0) {
      return steps;
    }
    Map<String, Integer> roles = new HashMap<>();
    wanted.members().stream().filter(now.alive()::contains).forEach(each -> roles.put(each, 0));
    now.shards().forEach(status -> roles.merge(status.primary(), 1, Integer::sum));
    List<ShardStatus> elsewhere =
        new ArrayList<>(
            now.shards().stream()
                .filter(status -> !except.contains(status.shard()))
                .filter(status -> !preferred(status).equals(status.primary()))
                .filter(status -> status.inSync().contains(preferred(status)))
                .filter(status -> now.alive().contains(preferred(status)))
                .toList());
    while (!elsewhere.isEmpty()
        && Collections.max(roles.values()) - Collections.min(roles.values()) > 1) {
      ShardStatus next =
          Collections.max(
              elsewhere,
              Comparator.comparingInt(
                  status -> roles.get(status.primary()) - roles.get(preferred(status))));
      elsewhere.remove(next);
      roles.merge(next.primary(), -1, Integer::sum);
      roles.merge(preferred(next), 1, Integer::sum);
      steps.add(MoveStep.handOver(next.shard(), next.primary(), preferred(next)));
    }
    return steps;
  }

  private String preferred(ShardStatus status) {
    return wanted.members(status.shard()).get(0);
  }

  /**
   * How many replicas still have to come, to catch up or to go. All those of a shard without a
   * known primary count.
   */
  public int left(Situation now) {
    return IntStream.range(0, wanted.shards()).map(shard -> left(shard, now)).sum();
  }

  /** Whether replicas of a shard still have to come, to catch up or to go. */
  public boolean isLeft(int shard, Situation now) {
    return left(shard, now) > 0;
  }

  /** A witness that has to come or to go, and can, counts as a replica does. */
  private int left(int shard, Situation now) {
    List<String> target = wanted.members(shard);
    String witness = wanted.witness(shard);
    ShardStatus status = now.shards().get(shard);
    if (status == null) {
      return target.size() + (witness == null ? 0 : 1);
    }
    int replicas =
        Math.max(without(target, status.inSync()).size(), without(status.holders(), target).size());
    boolean isPlaced =
        Objects.equals(witness, status.witness())
            || witness != null && !now.alive().contains(witness);
    return replicas + (isPlaced ? 0 : 1);
  }
}
