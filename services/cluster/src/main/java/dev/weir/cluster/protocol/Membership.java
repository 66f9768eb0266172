package dev.weir.cluster.protocol;

import dev.weir.cluster.GroupOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The members of a group: which name has which slot. A member keeps its slot while it is a member;
 * a slot may be vacant. The in-sync set and all indexes of members are slots.
 *
 * @param names of all {@link #SLOTS} slots; {@link #VACANT} for a vacant one
 * @param witness slot of the member that votes and holds no messages; -1 if there is none
 */
public record Membership(List<String> names, int witness) {
  /** {@value}: most members of a group. */
  public static final int SLOTS = 3;

  /** In place of the name of a member. */
  public static final String VACANT = "";

  public Membership {
    List<String> padded = new ArrayList<>(names);
    padded.addAll(Collections.nCopies(SLOTS - names.size(), VACANT));
    names = List.copyOf(padded);
  }

  /** The members with which a group begins. */
  public static Membership of(GroupOptions options) {
    List<String> names = options.getMembers();
    String witness = options.getWitness();
    return new Membership(names, witness == null ? -1 : names.indexOf(witness));
  }

  /** The members by a record; those with which the group began if it names none. */
  public static Membership of(GroupRecord record, GroupOptions options) {
    return record.membership() == null ? of(options) : record.membership();
  }

  public String name(int slot) {
    return names.get(slot);
  }

  /** Slot of a member; -1 if it is none. */
  public int slot(String name) {
    return name.equals(VACANT) ? -1 : names.indexOf(name);
  }

  /** Names of the members as {@link GroupOptions#setMembers} takes them. */
  public List<String> list() {
    int last = Integer.SIZE - Integer.numberOfLeadingZeros(all());
    return names.subList(0, last);
  }

  @Override
  public String toString() {
    return names.stream().filter(name -> !name.equals(VACANT)).collect(Collectors.joining(", "));
  }

  /** Names of the members of a bit set, in the order of their slots. */
  public List<String> names(int set) {
    return IntStream.range(0, SLOTS)
        .filter(slot -> (set & 1 << slot) != 0)
        .mapToObj(this::name)
        .toList();
  }

  /** Bit set of the members. */
  int all() {
    int all = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      all |= name(slot).equals(VACANT) ? 0 : 1 << slot;
    }
    return all;
  }

  /** Number of the members. */
  public int size() {
    return Integer.bitCount(all());
  }

  /** Slot of the preferred primary: the first member that holds messages. */
  int preferred() {
    int voting = witness < 0 ? 0 : 1 << witness;
    return Integer.numberOfTrailingZeros(all() & ~voting);
  }

  /** Number of the members that hold messages. */
  int holders() {
    return size() - (witness < 0 ? 0 : 1);
  }

  /** Bit set of the slots that have another member in the other membership, or none. */
  int differing(Membership other) {
    int differing = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      differing |= name(slot).equals(other.name(slot)) ? 0 : 1 << slot;
    }
    return differing;
  }

  /** The same with another member in a slot, which keeps its role. */
  public Membership with(int slot, String name) {
    List<String> changed = new ArrayList<>(names);
    changed.set(slot, name);
    return new Membership(changed, witness);
  }

  /** The same with a member that holds messages in a slot, whoever had that. */
  public Membership withHolder(int slot, String name) {
    return new Membership(with(slot, name).names, slot == witness ? -1 : witness);
  }

  Membership withWitness(int slot, String name) {
    return new Membership(with(slot, name).names, slot);
  }

  Membership without(int slot) {
    return new Membership(with(slot, VACANT).names, slot == witness ? -1 : witness);
  }
}
