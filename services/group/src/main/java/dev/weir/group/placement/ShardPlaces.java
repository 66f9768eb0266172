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

  /** Vacant places behind the last member are none. */
  public ShardPlaces {
    int last = names.size();
    while (last > 0 && names.get(last - 1).equals(VACANT)) {
      last--;
    }
    names = List.copyOf(names.subList(0, last));
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

  /** The same without a member. */
  public ShardPlaces without(String member) {
    List<String> left = new ArrayList<>(names);
    left.replaceAll(name -> name.equals(member) ? VACANT : name);
    return new ShardPlaces(left, member.equals(witness) ? null : witness);
  }

  /**
   * The same with one member more, in the lowest vacant place, else in the place of the one that
   * leaves. Who replaces the witness is the witness.
   *
   * @param out the member that leaves; null for none, if a place is vacant
   * @param in the member that joins
   * @param asWitness whether a member that replaces nobody is a witness
   * @throws IllegalStateException if there is no place for it
   */
  public ShardPlaces joined(String out, String in, boolean asWitness) {
    boolean votes = out == null ? asWitness : out.equals(witness);
    List<String> joined = new ArrayList<>(names);
    int vacant = names.contains(VACANT) || !hasRoom() ? names.indexOf(VACANT) : names.size();
    int place = vacant < 0 || votes && out != null ? names.indexOf(out == null ? in : out) : vacant;
    if (place < 0 || names.contains(in)) {
      throw new IllegalStateException(in + " cannot join " + names + " in the place of " + out);
    }
    if (place == names.size()) {
      joined.add(in);
    } else {
      joined.set(place, in);
    }
    return new ShardPlaces(joined, votes ? in : witness);
  }
}
