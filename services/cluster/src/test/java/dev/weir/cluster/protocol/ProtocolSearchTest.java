package dev.weir.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private final Map<StateDump.Key, Integer> left = new HashMap<>();
  private final List<SearchState.Action> path = new ArrayList<>();
  private long transitions;
  private int maxWipes;

  private static GroupOptions options(int members, String witness) {
    return new GroupOptions()
        .setMembers(List.of("a", "b", "c").subList(0, members))
        .setWitness(witness)
        .setHeartbeatMs(10)
        .setLeaseMs(20)
        .setTakeoverMs(30)
        .validate();
  }

  @Test
  void twoMembers() {
    search(2, null, 7, 1);
  }

  @Test
  void threeMembers() {
    search(3, null, 5, 1);
  }

  @Test
  void twoMembersAndAWitness() {
    search(3, "c", 5, 1);
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void twoMembersDeeper() {
    search(2, null, Integer.getInteger("weir.depth", 11), 1);
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void threeMembersDeeper() {
    search(3, null, Integer.getInteger("weir.depth", 8), 1);
  }

  @Test
  @Tag("soak")
  @Timeout(7_200)
  void twoMembersAndAWitnessDeeper() {
    search(3, "c", Integer.getInteger("weir.depth", 8), 1);
  }

  private void search(int members, String witness, int depth, int wipes) {
    maxWipes = wipes;
    SearchState empty = new SearchState(options(members, witness));
    SearchState settled = settle(empty);
    visit(empty, depth);
    visit(settled, depth);
    System.out.printf(
        "%d members%s: %,d distinct states, %,d steps, to depth %d%n",
        members, witness == null ? "" : ", one a witness", left.size(), transitions, depth);
    assertThat(left.size()).isGreaterThan(1_000);
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

  private void visit(SearchState state, int depth) {
    Integer known = left.get(state.key());
    if (known != null && known >= depth) {
      return;
    }
    left.put(state.key(), depth);
    if (depth == 0) {
      return;
    }
    for (SearchState.Action action : state.actions(maxWipes)) {
      path.add(action);
      transitions++;
      visit(after(state, action), depth - 1);
      path.remove(path.size() - 1);
    }
  }

  private SearchState after(SearchState state, SearchState.Action action) {
    try {
      return state.after(action);
    } catch (SearchState.Broken | IllegalStateException e) {
      throw new AssertionError(e.getMessage() + " is broken after " + path, e);
    }
  }
}
