package dev.weir.cluster;

import static dev.weir.options.OptionTypes.texts;

import dev.weir.options.Checks;
import dev.weir.options.OptionType;
import dev.weir.options.OptionTypes;
import java.util.List;
import java.util.Set;

/** Checks options of a group that do not go together. */
final class GroupChecks {
  private static final int LEAST_HAND_BACK_TAKEOVERS = 3;

  private GroupChecks() {}

  /** The names of the members. */
  static OptionType<List<String>> members() {
    return texts(GroupChecks::place)
        .with(
            "1 to " + GroupOptions.MAX_MEMBERS + " names, each once, empty for a vacant place",
            (option, members) -> {
              Checks.range(option, members.size(), 1, GroupOptions.MAX_MEMBERS);
              List<String> names = members.stream().filter(name -> !name.isEmpty()).toList();
              if (names.isEmpty() || Set.copyOf(names).size() != names.size()) {
                throw Checks.notAllowed(option, members, "each name once");
              }
              return members;
            });
  }

  private static void place(String option, String name) {
    if (!Checks.notNull(option, name).isEmpty()) {
      OptionTypes.name(option, name);
    }
  }

  /**
   * Checks all options.
   *
   * @throws IllegalArgumentException naming the options that do not go together
   */
  static void check(GroupOptions options) {
    Checks.range("members", options.getMembers().size(), 1, GroupOptions.MAX_MEMBERS);
    int members = (int) options.getMembers().stream().filter(name -> !name.isEmpty()).count();
    checkWitness(options, members);
    int holders = options.getWitness() == null ? members : members - 1;
    if (options.getMinInSync() > holders) {
      throw Checks.notAllowed(
          "minInSync",
          options.getMinInSync(),
          "1 to the number of members"
              + (holders == members ? ", " : " without the witness, ")
              + holders);
    }
    if (options.getPairPolicy() == PairPolicy.PRIMARY_CONTINUES
        && (members != 2 || options.getMinInSync() != 1)) {
      throw new IllegalArgumentException(
          "pairPolicy is PRIMARY_CONTINUES, allowed with other than two members and a minInSync of"
              + " 1 is BACKUP_TAKES_OVER; members is "
              + options.getMembers()
              + ", minInSync is "
              + options.getMinInSync());
    }
    checkTimes(options);
    if (options.getWaiting() == Waiting.BLOCK
        && options.getLinkWaiting() == Waiting.SPIN
        && options.getThreads().getDispatcher() == null) {
      throw new IllegalArgumentException(
          "linkWaiting is SPIN, allowed with a waiting of BLOCK and no dispatcher is BLOCK: nobody"
              + " would read");
    }
    if (!options.isPersistence() && options.getAckLevel() != AckLevel.RECEIVED) {
      throw new IllegalArgumentException(
          "ackLevel is " + options.getAckLevel() + ", allowed without persistence is RECEIVED");
    }
  }

  private static void checkWitness(GroupOptions options, int members) {
    if (options.getWitness() != null
        && (members != GroupOptions.MAX_MEMBERS
            || !options.getMembers().contains(options.getWitness()))) {
      throw Checks.notAllowed(
          "witness",
          options.getWitness(),
          "one of three members, or none; members is " + options.getMembers());
    }
  }

  private static void checkTimes(GroupOptions options) {
    int leaseMs = options.getLeaseMs();
    int takeoverMs = options.getTakeoverMs();
    int handBackMs = options.getHandBackMs();
    if (2 * options.getHeartbeatMs() > leaseMs) {
      throw Checks.notAllowed(
          "heartbeatMs", options.getHeartbeatMs(), "at most half of leaseMs, " + leaseMs);
    }
    if (takeoverMs < GroupOptions.MAX_CLOCK_RATIO * leaseMs) {
      String least = "at least %s times leaseMs, which is %d: clocks do not run at the same pace";
      throw Checks.notAllowed(
          "takeoverMs", takeoverMs, least.formatted(GroupOptions.MAX_CLOCK_RATIO, leaseMs));
    }
    if (handBackMs != 0 && handBackMs < LEAST_HAND_BACK_TAKEOVERS * takeoverMs) {
      String least = "0 or at least %d times takeoverMs, which is %d";
      throw Checks.notAllowed(
          "handBackMs", handBackMs, least.formatted(LEAST_HAND_BACK_TAKEOVERS, takeoverMs));
    }
  }
}
