package dev.weir.cluster;

import dev.weir.options.Checks;
import dev.weir.options.OptionTypes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which member is preferred as the primary of which group, so that the primaries of several groups
 * are spread over the members. It depends on the names alone: every node comes to the same result
 * from the same names, in whatever order it has the groups.
 */
public final class Placement {
  private Placement() {}

  /**
   * Spreads groups over members: by the order of their names, the first group prefers the first
   * member, the next one the next, and so on in turn. A group that is added later may move the
   * preference of others; as the list of a group stays for its life, give all at once, or keep the
   * lists of those that exist.
   *
   * @param groups names, each once, in any order
   * @param members names, the same list in the same order on all nodes; all of them hold all groups
   * @return for each group, in the order given, its list for {@link GroupOptions#setMembers}: all
   *     members, the preferred one first; cannot be changed
   * @throws IllegalArgumentException if a group is named twice, or there is no member
   */
  public static Map<String, List<String>> spread(Collection<String> groups, List<String> members) {
    return spread(groups, members, null);
  }

  /**
   * The same for groups with a witness, which is the last in each list.
   *
   * @param witness one of the members, see {@link GroupOptions#setWitness}; null for none
   * @throws IllegalArgumentException if a group is named twice, or members and witness do not go
   *     together
   */
  public static Map<String, List<String>> spread(
      Collection<String> groups, List<String> members, String witness) {
    Checks.notNull("groups", groups).forEach(group -> OptionTypes.name("groups", group));
    List<String> last = witness == null ? List.of() : List.of(witness);
    List<String> holders =
        new ArrayList<>(
            new GroupOptions().setMembers(members).setWitness(witness).validate().getMembers());
    holders.removeAll(last);
    List<String> sorted = List.copyOf(new TreeSet<>(groups));
    if (sorted.size() != groups.size()) {
      throw new IllegalArgumentException("groups is " + groups + ", allowed is each name once");
    }
    Map<String, List<String>> lists = new LinkedHashMap<>();
    for (String group : groups) {
      List<String> list = new ArrayList<>(holders);
      Collections.rotate(list, -(sorted.indexOf(group) % holders.size()));
      list.addAll(last);
      lists.put(group, List.copyOf(list));
    }
    return Collections.unmodifiableMap(lists);
  }
}
