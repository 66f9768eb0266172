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
   * The same for groups with a witness, which stays the last in each list.
   *
   * @param witness the last of the members, see {@link GroupOptions#setWitness}; null for none
   * @throws IllegalArgumentException if a group is named twice, or members and witness do not go
   *     together
   */
  public static Map<String, List<String>> spread(
      Collection<String> groups, List<String> members, String witness) {
    Checks.notNull("groups", groups).forEach(group -> OptionTypes.name("groups", group));
    List<String> checked =
        new GroupOptions().setMembers(members).setWitness(witness).validate().getMembers();
    int holders = checked.size() - (witness == null ? 0 : 1);
    List<String> sorted = List.copyOf(new TreeSet<>(groups));
    if (sorted.size() != groups.size()) {
      throw new IllegalArgumentException("groups is " + groups + ", allowed is each name once");
    }
    Map<String, List<String>> lists = new LinkedHashMap<>();
    for (String group : groups) {
      lists.put(group, preferring(sorted.indexOf(group) % holders, checked, holders));
    }
    return Collections.unmodifiableMap(lists);
  }

  private static List<String> preferring(int first, List<String> members, int holders) {
    List<String> rotated = new ArrayList<>(members);
    Collections.rotate(rotated.subList(0, holders), -first);
    return List.copyOf(rotated);
  }
}
