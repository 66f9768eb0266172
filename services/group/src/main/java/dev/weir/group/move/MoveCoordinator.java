package dev.weir.group.move;

import dev.weir.group.MoveStats;
import dev.weir.group.layout.ShardDirectory;
import dev.weir.group.placement.MoveStep;
import dev.weir.group.placement.ShardMoves;
import dev.weir.group.placement.ShardMoves.Situation;
import dev.weir.group.placement.ShardPlan;
import dev.weir.group.placement.ShardStatus;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has shards moved to where the plan has them, on the member that is primary of the first shard. A
 * second one at the same time does no harm: it knows the same plan, and each primary makes one
 * change of its shard at a time.
 *
 * <p>{@link #look} runs on one thread.
 */
final class MoveCoordinator {
  private static final Logger LOG = LoggerFactory.getLogger(MoveCoordinator.class);

  /** A member that was heard within this time can be reached. */
  static final long SILENT_NS = TimeUnit.SECONDS.toNanos(10);

  /** After a step failed, its shard waits. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

  /** After a step was made, its shard waits until what it has become is known here. */
  private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Pause between two hand-overs that level the roles: then the first one is made, or not. */
  private static final long LEVEL_NS = TimeUnit.SECONDS.toNanos(2);

  /** If the role of a shard has gone to another member than meant, its next hand-over waits. */
  private static final long LEVEL_AGAIN_NS = TimeUnit.MINUTES.toNanos(1);

  /** So many hand-overs of a shard that level the roles after a change of the plan. */
  private static final int LEVELS_PER_SHARD = 3;

  private final ShardDirectory directory;
  private final ShardMover mover;
  private final LocalShards local;
  private final MoveLimits limits;
  private final Supplier<Set<String>> present;
  private final Function<String, Future<?>> remove;
  private final AtomicBoolean looking = new AtomicBoolean();

  /** By shard: a step that was asked for and is not answered. */
  private final Map<Integer, MoveStep> asked = new ConcurrentHashMap<>();

  /** By shard: when it may be asked again, ns. */
  private final Map<Integer, Long> againNs = new ConcurrentHashMap<>();

  /** By shard: the last failure, so that it is logged once. */
  private final Map<Integer, String> failures = new ConcurrentHashMap<>();

  /** By member: until when it begins no further move, ns. */
  private final Map<String, Long> restUntilNs = new HashMap<>();

  /** By member of the plan: since when it cannot be reached, ns. */
  private final Map<String, Long> absentSinceNs = new HashMap<>();

  /** When {@link #go} last ran, ns. */
  private long wentNs = System.nanoTime();

  private final AtomicLong done = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicBoolean removing = new AtomicBoolean();

  /** By shard: the hand-overs that level the roles of {@link #levelledVersion} of the plan. */
  private final Map<Integer, Levelled> levelled = new HashMap<>();

  private long levelledVersion = -1;

  /**
   * Hand-overs of one shard.
   *
   * @param times how often it was asked for one
   * @param step the last one
   * @param atNs when that was
   */
  private record Levelled(int times, MoveStep step, long atNs) {}

  /**
   * @param present names of the members of the cluster at the moment
   * @param remove takes a member out of the plan
   */
  MoveCoordinator(
      ShardDirectory directory,
      ShardMover mover,
      LocalShards local,
      MoveLimits limits,
      Supplier<Set<String>> present,
      Function<String, Future<?>> remove) {
    this.directory = directory;
    this.mover = mover;
    this.local = local;
    this.limits = limits;
    this.present = present;
    this.remove = remove;
  }

  /** Looks what there is to do, if this member may. */
  void look() {
    if (looking.getAndSet(true)) {
      return;
    }
    local
        .plan()
        .compose(
            plan ->
                mover.blocking(
                    () -> {
                      go(plan, System.nanoTime());
                      return null;
                    }))
        .onComplete(
            done -> {
              looking.set(false);
              if (done.failed()) {
                // Another member is primary of the first shard, or soon will be.
                failures.clear();
                LOG.debug("shards of {} are not moved here", directory.layout().address());
              }
            });
  }

  /** This member is not primary of the first shard: another one says what waits. */
  void rest() {
    failures.clear();
  }

  void go(ShardPlan plan, long nowNs) {
    if (nowNs - wentNs > SILENT_NS) {
      // It looked away, such as while another member moved the shards: who is away now may have
      // been there meanwhile.
      absentSinceNs.clear();
    }
    wentNs = nowNs;
    Set<String> alive = new HashSet<>(present.get());
    alive.removeIf(member -> !directory.isHeard(member, SILENT_NS, nowNs));
    removeLost(plan, alive, nowNs);
    ShardMoves moves = new ShardMoves(plan.placement(), limits.perMember());
    Situation now = new Situation(directory.statuses(), alive, asked.values(), resting(nowNs));
    // While nobody has changed anything, roles are not moved either.
    boolean levels = plan.version() > 0 && limits.levelsRoles();
    List<MoveStep> level = levels ? level(plan, moves, now, nowNs) : List.of();
    MoveStep handingOver = levels ? handingOver(now, nowNs) : null;
    int roles = level.size() + (handingOver == null ? 0 : 1);
    directory.plan(plan.placement().members(), moves.left(now) + roles);
    if (plan.version() == 0) {
      return;
    }
    List<MoveStep> steps = moves.next(now);
    forgetFailures(moves, now, steps);
    for (MoveStep step : steps) {
      Long notBeforeNs = againNs.get(step.shard());
      if (notBeforeNs == null || nowNs - notBeforeNs >= 0) {
        ask(step, nowNs);
      }
    }
    if (steps.isEmpty() && isIdle() && handingOver == null && !level.isEmpty()) {
      MoveStep step = level.get(0);
      int before = levelled.containsKey(step.shard()) ? levelled.get(step.shard()).times() : 0;
      levelled.put(step.shard(), new Levelled(before + 1, step, nowNs));
      ask(step, nowNs);
    }
  }

  /** The hand-overs that level the roles. A shard that had its turn is left alone for a while. */
  private List<MoveStep> level(ShardPlan plan, ShardMoves moves, Situation now, long nowNs) {
    if (levelledVersion != plan.version()) {
      levelledVersion = plan.version();
      levelled.clear();
    }
    Set<Integer> except = new HashSet<>();
    levelled.forEach(
        (shard, last) -> {
          if (last.times() == LEVELS_PER_SHARD || nowNs - last.atNs() < LEVEL_AGAIN_NS) {
            except.add(shard);
          }
        });
    return moves.level(now, except);
  }

  /** A hand-over that was asked for and has not shown yet who is primary now; null for none. */
  private MoveStep handingOver(Situation now, long nowNs) {
    for (Levelled last : levelled.values()) {
      ShardStatus status = now.shards().get(last.step().shard());
      boolean isMade = status != null && status.primary().equals(last.step().to());
      if (nowNs - last.atNs() < LEVEL_NS && !isMade) {
        return last.step();
      }
    }
    return null;
  }

  /** Forgets the failures of shards that have nothing left to move. */
  private void forgetFailures(ShardMoves moves, Situation now, List<MoveStep> steps) {
    failures
        .keySet()
        .removeIf(
            shard ->
                !asked.containsKey(shard)
                    && !moves.isLeft(shard, now)
                    && steps.stream().noneMatch(step -> step.shard() == shard));
  }

  /** How moves get on. Any thread. */
  MoveStats stats() {
    return new MoveStats(
        directory.moves(), done.get(), failed.get(), List.copyOf(failures.values()));
  }

  /** Whether each step that was asked for is answered. */
  boolean isIdle() {
    return asked.isEmpty();
  }

  private Set<String> resting(long nowNs) {
    restUntilNs.values().removeIf(untilNs -> nowNs - untilNs >= 0);
    return restUntilNs.keySet();
  }

  private void ask(MoveStep step, long nowNs) {
    String service = directory.layout().address();
    if (!failures.containsKey(step.shard())) {
      LOG.info("service {}: {}", service, step);
    }
    asked.put(step.shard(), step);
    if (step.copies()) {
      restUntilNs.put(step.in(), nowNs + limits.pauseNs());
      restUntilNs.put(step.primary(), nowNs + limits.pauseNs());
    }
    mover
        .ask(step)
        .onComplete(
            made -> {
              if (made.succeeded()) {
                done.incrementAndGet();
                failures.remove(step.shard());
                againNs.put(step.shard(), System.nanoTime() + SETTLE_NS);
              } else {
                failed.incrementAndGet();
                againNs.put(step.shard(), System.nanoTime() + RETRY_NS);
                String why = step + " is not made yet: " + made.cause().getMessage();
                if (!why.equals(failures.put(step.shard(), why))) {
                  LOG.warn("service {}: {}", service, why);
                }
              }
              asked.remove(step.shard());
            });
  }

  private void removeLost(ShardPlan plan, Set<String> alive, long nowNs) {
    List<String> members = plan.placement().members();
    absentSinceNs.keySet().retainAll(members);
    for (String member : members) {
      if (alive.contains(member)) {
        absentSinceNs.remove(member);
      } else {
        absentSinceNs.putIfAbsent(member, nowNs);
      }
    }
    if (limits.lostNs() == 0 || removing.get()) {
      return;
    }
    for (String member : members) {
      Long sinceNs = absentSinceNs.get(member);
      if (sinceNs != null && nowNs - sinceNs >= limits.lostNs()) {
        LOG.warn(
            "service {}: {} is away for {} ms, so its shards move to other members",
            directory.layout().address(),
            member,
            TimeUnit.NANOSECONDS.toMillis(nowNs - sinceNs));
        removing.set(true);
        remove
            .apply(member)
            .onComplete(
                done -> {
                  removing.set(false);
                  if (done.failed()) {
                    LOG.warn("{} stays a member: {}", member, done.cause().getMessage());
                  }
                });
        return;
      }
    }
  }
}
