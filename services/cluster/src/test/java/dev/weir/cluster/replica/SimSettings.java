package dev.weir.cluster.replica;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.PairPolicy;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * What one run of a {@link ReplicaSimulation} is given.
 *
 * @param options of all members, unless they differ
 * @param faultsMs how long faults happen; after it everything is healed
 * @param bodyBytes of a message; large ones bring snapshots
 * @param inState the processor keeps its state where the group replicates it
 * @param rejects handlers throw
 * @param faults what may happen beside kills, stops, cuts and slow links
 */
record SimSettings(
    long seed,
    GroupOptions options,
    long faultsMs,
    int bodyBytes,
    boolean inState,
    boolean rejects,
    Faults faults) {
  private static final int SMALL_BODY = 16;
  private static final int LARGE_BODY = 40 << 10;

  /** More than expire while one of them is idle: the ids of all that expired are kept. */
  private static final int MAX_CLIENTS = 100;

  /**
   * What else may happen.
   *
   * @param crashes processes end before or after a save
   * @param wipes disks are lost, at any time
   * @param forces an operator forces a member, at any time
   * @param skew the members have other options
   * @param suspends processes are suspended with their clocks
   * @param twins a second process with the name of a member
   * @param late frames of a broken connection arrive on a later one
   * @param changes the members change
   */
  record Faults(
      boolean crashes,
      boolean wipes,
      boolean forces,
      boolean skew,
      boolean suspends,
      boolean twins,
      boolean late,
      boolean changes) {
    static final Faults NONE = new Faults(false, false, false, false, false, false, false, false);

    /**
     * Those of a group without disks: another process with the name of a member proves that the one
     * before is gone, so there must be no second one, and nothing that could be forced.
     */
    Faults inMemory() {
      return new Faults(crashes, wipes, false, skew, suspends, false, late, false);
    }

    static Faults any(Random random, boolean changes) {
      return new Faults(
          random.nextInt(3) == 0,
          random.nextInt(3) == 0,
          random.nextInt(4) == 0,
          random.nextInt(8) == 0,
          random.nextInt(6) == 0,
          random.nextInt(6) == 0,
          random.nextInt(4) == 0,
          changes);
    }
  }

  private static final List<String> NAMES = List.of("a", "b", "c");

  /** All by the seed. */
  static SimSettings of(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    int members = seed % 8 == 0 ? 1 : seed % 8 < 4 ? 2 : 3;
    boolean witness = seed % 8 >= 6;
    int minInSync = members == 1 ? 1 : 1 + random.nextInt(2);
    int leaseMs = 200 + random.nextInt(600);
    int takeoverMs = (leaseMs * (120 + random.nextInt(100)) + 99) / 100;
    int handBackMs = random.nextInt(3) == 0 ? 3 * takeoverMs + random.nextInt(1_000) : 0;
    GroupOptions options =
        new GroupOptions()
            .setMembers(NAMES.subList(0, members))
            .setWitness(witness ? NAMES.get((int) ((seed >> 3) % NAMES.size())) : null)
            .setMinInSync(minInSync)
            .setPairPolicy(
                members == 2 && minInSync == 1 && (seed >> 3) % 3 == 0
                    ? PairPolicy.PRIMARY_CONTINUES
                    : PairPolicy.BACKUP_TAKES_OVER)
            .setHeartbeatMs(30 + random.nextInt(60))
            .setLeaseMs(leaseMs)
            .setTakeoverMs(takeoverMs)
            .setHandBackMs(handBackMs)
            .setBatchBytes(1 << 10)
            .setMaxBatches(1 + random.nextInt(4))
            .setReplyWindow(64)
            .setSnapshotBytes(1 << 20);
    int faultsMs = 2_000 + random.nextInt(10_000);
    boolean large = random.nextInt(6) == 0;
    int bodyBytes = large ? LARGE_BODY : SMALL_BODY;
    options.setMaxMessageBytes(large ? LARGE_BODY : 1 << 10).validate();
    if (random.nextInt(4) == 0) {
      options.setThreads(new ThreadOptions().setPersister(Waiting.BLOCK));
    }
    Faults faults = Faults.any(random, SimFaults.MANY_CHANGES || seed / 8 % 3 == 1);
    boolean inState = random.nextInt(3) == 0;
    boolean rejects = random.nextInt(3) == 0;
    if (members > 1 && random.nextInt(16) == 0) {
      options.setPersistence(false);
      faults = faults.inMemory();
    }
    setLevel(options, random.nextInt(6));
    if (random.nextInt(4) == 0) {
      // Of two clients the idle one makes room for the other in some groups.
      options
          .setClientExpiryMs(1_000 + random.nextInt(1_000))
          .setMaxClients((seed >> 4) % 3 == 0 ? 1 : MAX_CLIENTS);
    }
    return new SimSettings(seed, options, faultsMs, bodyBytes, inState, rejects, faults);
  }

  /** A group without a log on disk has received what it holds. */
  private static void setLevel(GroupOptions options, int choice) {
    if (!options.isPersistence() || choice == 0) {
      // What a thread has not written yet, no simulated disk knows.
      options.setAckLevel(AckLevel.RECEIVED).setThreads(new ThreadOptions());
    } else if (choice == 1) {
      options.setAckLevel(AckLevel.FLUSHED);
    }
  }

  /** How long a client may be idle, twice what it takes to expire; 0 if none is so for long. */
  long idleMs() {
    int expiryMs = options.getClientExpiryMs();
    return expiryMs == GroupOptions.DEFAULT_CLIENT_EXPIRY_MS ? 0 : 2L * expiryMs;
  }

  /** Whether what a member acknowledged survives the loss of its power. */
  boolean survivesPower() {
    return options.getAckLevel() == AckLevel.FLUSHED;
  }

  /**
   * Whether processes that are started at a time are of a later version of the application. There
   * are seeds in which none is.
   */
  boolean isUpgraded(long nowNs) {
    return seed / 24 % 3 == 1 && !faults.twins() && nowNs >= faultsMs * 500_000;
  }

  SimSettings with(UnaryOperator<GroupOptions> change) {
    return new SimSettings(
        seed,
        change.apply(new GroupOptions(options)),
        faultsMs,
        bodyBytes,
        inState,
        rejects,
        faults);
  }

  SimSettings only(Faults others) {
    return new SimSettings(seed, options, faultsMs, bodyBytes, inState, rejects, others);
  }

  /** Whether batches of some moments are persisted together, as those of a turn of a thread are. */
  boolean persistsLater() {
    return seed % 5 < 2
        && options.isPersistence()
        && options.getAckLevel() != AckLevel.RECEIVED
        && options.getThreads().getPersister() == null;
  }

  /** Whether all that a process holds goes with it. */
  boolean inMemory() {
    return !options.isPersistence();
  }

  boolean late() {
    return faults.late();
  }

  boolean skew() {
    return faults.skew();
  }

  /** The options of the process at a place; if they are skewed, those of one place differ. */
  GroupOptions options(boolean skewed, int place) {
    GroupOptions own = new GroupOptions(options);
    if (skewed && place == 1) {
      own.setHandBackMs(0);
      switch ((int) (seed % 3)) {
        case 0 -> own.setTakeoverMs(20 * own.getTakeoverMs());
        case 1 -> own.setTakeoverMs(24 * own.getLeaseMs()).setLeaseMs(20 * own.getLeaseMs());
        default ->
            own.setMinInSync(3 - own.getMinInSync()).setPairPolicy(PairPolicy.BACKUP_TAKES_OVER);
      }
    }
    return own;
  }
}
