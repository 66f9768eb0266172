package dev.weir.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.PairPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tries every order of messages, losses, crashes, restarts, refusals, lost disks and time-outs up
 * to a depth, from a group in which all are in sync and from an empty one. {@link SearchState}
 * names the invariants. {@code -Dweir.depth=N} searches deeper.
 */
class ProtocolSearchTest {
  private static final int MAX_SETTLE = 2_000;
  private static final int MAX_WIPES = 1;

  /**
   * The last steps are searched depth first. A state that is met sooner after its first search is
   * searched again; those before, breadth first, which are kept in memory, are not.
   */
  private static final int DEPTH_FIRST = 3;

  private final StateSet seen = new StateSet();
  private long steps;
  private PairPolicy policy = PairPolicy.BACKUP_TAKES_OVER;

  /** Whether a member that is added is a witness. */
  private boolean asWitness;

  private GroupOptions options(int members, String witness) {
    return new GroupOptions()
        .setMembers(List.of("a", "b", "c").subList(0, members))
        .setWitness(witness)
        .setPairPolicy(policy)
        .setHeartbeatMs(10)
        .setLeaseMs(20)
        .setTakeoverMs(30)
        .validate();
  }

  @Test
  void twoMembers() {
    search(2, null, 7);
  }

  @Test
  void twoMembersWhosePrimaryContinues() {
    policy = PairPolicy.PRIMARY_CONTINUES;
    search(2, null, 7);
  }

  @Test
  void threeMembers() {
    search(3, null, 5);
  }

  @Test
  void twoMembersAndAWitness() {
    search(3, "c", 5);
  }

  @Test
  void aWitnessInTheFirstPlaceAndTwoMembers() {
    search(3, "a", 5);
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void twoMembersDeeper() {
    search(2, null, Integer.getInteger("weir.depth", 11));
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void twoMembersWhosePrimaryContinuesDeeper() {
    policy = PairPolicy.PRIMARY_CONTINUES;
    search(2, null, Integer.getInteger("weir.depth", 11));
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void threeMembersDeeper() {
    search(3, null, Integer.getInteger("weir.depth", 8));
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void twoMembersAndAWitnessDeeper() {
    search(3, "c", Integer.getInteger("weir.depth", 8));
  }

  @Test
  void aMemberOfTwoIsReplaced() {
    change(2, null, "b", "c", List.of("a", "b", "c"), 4);
  }

  /** By any primary, at any time after the first one was. */
  @Test
  void aReplacementOfTwoIsAskedForAgain() {
    change(2, null, "b", "c", List.of("a", "b", "c"), 4, 2);
  }

  @Test
  void aMemberOfTwoWhosePrimaryContinuesIsReplaced() {
    policy = PairPolicy.PRIMARY_CONTINUES;
    change(2, null, "b", "c", List.of("a", "", "c"), 4);
  }

  @Test
  void aMemberOfThreeIsReplaced() {
    change(3, null, "c", "d", List.of("a", "b", "d"), 4);
  }

  @Test
  void aThirdMemberIsAdded() {
    change(2, null, null, "c", List.of("a", "b", "c"), 4);
  }

  @Test
  void aWitnessIsAdded() {
    asWitness = true;
    change(2, null, null, "c", List.of("a", "b", "c"), 4);
  }

  @Test
  void aWitnessIsRemoved() {
    change(3, "a", "a", null, null, 4);
  }

  @Test
  void aMemberOfThreeIsRemoved() {
    change(3, null, "c", null, null, 4);
  }

  @Test
  void aWitnessIsReplaced() {
    change(3, "c", "c", "d", List.of("a", "b", "d"), 4);
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void changesDeeper() {
    int depth = Integer.getInteger("weir.depth", 5);
    change(2, null, "b", "c", List.of("a", "b", "c"), depth + 1);
    change(3, null, "c", "d", List.of("a", "b", "d"), depth);
    change(2, null, null, "c", List.of("a", "b", "c"), depth + 1);
    change(3, null, "c", null, null, depth);
    change(3, "c", "c", "d", List.of("a", "b", "d"), depth);
    policy = PairPolicy.PRIMARY_CONTINUES;
    change(2, null, "b", "c", List.of("a", "", "c"), depth + 1);
  }

  /** From a group in which all are in sync, before a change is asked for and right after. */
  private void change(
      int members, String witness, String out, String in, List<String> after, int depth) {
    change(members, witness, out, in, after, depth, 1);
  }

  private void change(
      int members,
      String witness,
      String out,
      String in,
      List<String> after,
      int depth,
      int mostAsked) {
    GroupOptions options = options(members, witness);
    GroupOptions newcomer =
        in == null
            ? null
            : new GroupOptions(options)
                .setMembers(after)
                .setWitness(asWitness || out != null && out.equals(witness) ? in : witness);
    SearchState empty =
        new SearchState(options, new MemberChange(out, in, asWitness), newcomer, mostAsked);
    SearchState settled = settle(empty);
    SearchState.Action asks =
        settled.actions(0).stream()
            .filter(action -> action.kind() == SearchState.Kind.CHANGE)
            .findFirst()
            .orElseThrow();
    SearchState asked = settled.after(asks);
    List<SearchState> level = new ArrayList<>(List.of(settled, asked));
    // Then what is on its way arrives, step by step: a change has several.
    SearchState next = asked;
    for (int i = 0; i < 40; i++) {
      SearchState state = next;
      SearchState.Action action =
          state.actions(0).stream()
              .filter(each -> rank(state, each) <= 4)
              .min(java.util.Comparator.comparing(each -> rank(state, each)))
              .orElseThrow();
      next = after(state, action);
      level.add(next);
    }
    search(
        members,
        (out == null ? "" : "without " + out)
            + (in == null ? "" : " with " + in)
            + (mostAsked > 1 ? ", asked for again" : ""),
        level,
        depth);
  }

  private void search(int members, String witness, int depth) {
    SearchState empty = new SearchState(options(members, witness));
    search(members, witness == null ? "" : "one a witness", List.of(empty, settle(empty)), depth);
  }

  private void search(int members, String what, List<SearchState> from, int depth) {
    long startNs = System.nanoTime();
    List<SearchState> level = from;
    level.forEach(state -> seen.deepens(state.key(), depth));
    int left = depth;
    for (; left > DEPTH_FIRST; left--) {
      level = expand(level, left);
    }
    for (SearchState state : level) {
      visit(state, left);
    }
    System.out.printf(
        "%d members%s: %,d distinct states, %,d steps, to depth %d, in %,d ms%n",
        members,
        what.isEmpty() ? "" : ", " + what,
        seen.size(),
        steps,
        depth,
        (System.nanoTime() - startNs) / 1_000_000);
    assertThat(seen.size()).isGreaterThan(1_000);
  }

  /**
   * Starts all, and delivers what there is, until all are in sync and a message is acknowledged.
   */
  private SearchState settle(SearchState empty) {
    SearchState state = empty;
    for (int i = 0; i < MAX_SETTLE; i++) {
      SearchState.Action next = null;
      for (SearchState.Action action : state.actions(0)) {
        next = next == null || rank(state, action) < rank(state, next) ? action : next;
      }
      if (state.isSettled()
          && state.acknowledged() > 0
          && next.kind() != SearchState.Kind.DELIVER) {
        return state;
      }
      state = state.after(next);
    }
    throw new AssertionError("the group does not settle");
  }

  private static int rank(SearchState state, SearchState.Action action) {
    return switch (action.kind()) {
      case START -> 0;
      case CONNECT -> 1;
      case DELIVER -> 2;
      case ACCEPT -> state.isSettled() && state.acknowledged() == 0 ? 3 : 9;
      case TIME -> 4;
      default -> 10;
    };
  }

  private List<SearchState> expand(List<SearchState> level, int left) {
    List<SearchState> next = new ArrayList<>();
    for (SearchState state : level) {
      for (SearchState.Action action : state.actions(MAX_WIPES)) {
        SearchState after = after(state, action);
        if (seen.deepens(after.key(), left - 1)) {
          next.add(after);
        }
      }
    }
    return next;
  }

  private void visit(SearchState state, int left) {
    for (SearchState.Action action : state.actions(MAX_WIPES)) {
      SearchState after = after(state, action);
      if (seen.deepens(after.key(), left - 1) && left > 1) {
        visit(after, left - 1);
      }
    }
  }

  private SearchState after(SearchState state, SearchState.Action action) {
    steps++;
    try {
      return state.after(action);
    } catch (SearchState.Broken | IllegalStateException e) {
      throw new AssertionError(e.getMessage() + "; then " + action + ", after " + state.trail(), e);
    }
  }
}
