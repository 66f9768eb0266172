package dev.weir.group.placement;

import java.util.ArrayList;
import java.util.List;

/**
 * The members of a shard by their place in its group.
 *
 * @param names by place; empty for a vacant place
 * @param witness the member that votes and holds no messages; null for none
 */
public record ShardPlaces(List<String> names, String witness) {
  /** {@value}: the most members of a group. */
  public static final int MOST = 3;

  /** In place of the name of a member. */
  private static final String VACANT = "";

  public ShardPlaces {
    names = List.copyOf(names);
  }

  /** Places without a witness. */
  public static ShardPlaces of(List<String> names) {
    return new ShardPlaces(names, null);
  }

  /** The members, with the witness. */
  public List<String> members() {
    return names.stream().filter(name -> !name.equals(VACANT)).toList();
  }

  /** The members that hold messages. */
  public List<String> holders() {
    return members().stream().filter(name -> !name.equals(witness)).toList();
  }

  /** Whether a member that joins takes a vacant place, and nobody has to leave first. */
  public boolean hasRoom() {
    return members().size() < MOST;
  }

  /**
   * The same with one member more, in the lowest vacant place, else in the place of the one that
   * leaves. It is the witness if that leaves.
   *
   * @param out the member that leaves; null for none, if a place is vacant
   * @param in the member that joins
   * @param asWitness whether a member that replaces nobody is a witness
   */
  public ShardPlaces joined(String out, String in, boolean asWitness) {
    boolean votes = asWitness || out != null && out.equals(witness);
    List<String> joined = new ArrayList<>(names);
    int place = out != null && (votes || !hasRoom()) ? names.indexOf(out) : names.indexOf(VACANT);
    if (place < 0) {
      joined.add(in);
    } else {
      joined.set(place, in);
    }
    return new ShardPlaces(joined, votes ? in : witness);
  }
}
