package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.Membership;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must be the same on two members before they may be connected, as text: the version of the
 * frames, the kind of processor, and all options that safety rests on. Every transport compares it
 * when it connects.
 *
 * <p>The times are compared because a primary counts on the takeover time of its backups. The
 * options of sessions are compared because sessions are a part of the replicated state.
 */
public final class GroupAgreement {
  /** {@value}: the oldest version of the frames between members that this version speaks. */
  public static final int PROTOCOL = 3;

  /**
   * {@value}: the newest version of the frames between members. Version 4 has the names of the
   * members in control messages, if these have changed.
   */
  public static final int NEWEST_PROTOCOL = 4;

  private static final int CHANGES_SINCE = 4;

  /** {@value}, which is no name: the kind of processor of a witness, allowed beside any other. */
  public static final String NONE = "(none)";

  /** Part of a difference that is over in a moment if the members of the group change. */
  public static final String NO_MEMBER_HERE = " is not a member here";

  private static final String NO_MEMBER_THERE = " is not a member there";

  private static final String OLDEST = "protocol";

  /** Not told by versions that speak one version only. */
  private static final String NEWEST = "newest protocol";

  /** Told by members that ask for a shared secret. */
  private static final String SECRET = "secret";

  private static final String MEMBERS = "members";
  private static final String WITNESS = "witness";

  /** There if the members have changed since the group began. */
  private static final String CHANGED = "members changed";

  private static final Set<String> OF_MEMBERS = Set.of(MEMBERS, WITNESS, CHANGED);
  private static final String PROCESSOR = "processor";
  private static final String SEPARATOR = "; ";
  private static final String VALUE = "=";

  private final Map<String, String> values;

  private GroupAgreement(Map<String, String> values) {
    this.values = values;
  }

  /**
   * @param processor kind of processor, one word; {@link #NONE} for a witness
   */
  public static GroupAgreement of(GroupOptions options, String processor) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put(OLDEST, PROTOCOL);
    values.put(NEWEST, NEWEST_PROTOCOL);
    values.put(MEMBERS, String.join(",", options.getMembers()));
    values.put(WITNESS, options.getWitness() == null ? NONE : options.getWitness());
    values.put(PROCESSOR, processor);
    values.put("minInSync", options.getMinInSync());
    values.put("pairPolicy", options.getPairPolicy());
    values.put("ackLevel", options.getAckLevel());
    values.put("persistence", options.isPersistence());
    values.put("leaseMs", options.getLeaseMs());
    values.put("takeoverMs", options.getTakeoverMs());
    values.put("maxMessageBytes", options.getMaxMessageBytes());
    values.put("replyWindow", options.getReplyWindow());
    values.put("maxClients", options.getMaxClients());
    values.put("clientExpiryMs", options.getClientExpiryMs());
    values.put("frame bytes by batchBytes", FrameLimits.of(options).maxFrameBytes());
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((name, value) -> texts.put(name, value.toString()));
    return new GroupAgreement(texts);
  }

  /** The same of a member that asks for a shared secret. */
  public GroupAgreement withSecret() {
    Map<String, String> asking = new LinkedHashMap<>(values);
    asking.put(SECRET, "asked for");
    return new GroupAgreement(asking);
  }

  /** Whether the member asks for a shared secret. */
  public boolean asksForSecret() {
    return values.containsKey(SECRET);
  }

  /** Reads what {@link #text} wrote, maybe of another version; never throws. */
  public static GroupAgreement parse(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String entry : text.split(SEPARATOR)) {
      String[] parts = entry.split(VALUE, 2);
      values.put(parts[0], parts.length == 2 ? parts[1] : "");
    }
    return new GroupAgreement(values);
  }

  /** The same of a group whose members have changed since it began. */
  public GroupAgreement with(Membership members) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(MEMBERS, String.join(",", members.names()));
    changed.put(WITNESS, members.witness() < 0 ? NONE : members.name(members.witness()));
    changed.put(CHANGED, "yes");
    return new GroupAgreement(changed);
  }

  /**
   * Describes all differences, with both values; null if there is none. Of two that know other
   * members of a group whose members have changed, one learns from the other. It is enough that
   * both know both, and with the same slots.
   *
   * @param self name of this member
   * @param other name of the other member
   */
  public String difference(GroupAgreement theirs, String self, String other) {
    boolean changed = values.containsKey(CHANGED) || theirs.values.containsKey(CHANGED);
    if (!changed) {
      return difference(theirs, Set.of());
    }
    if (theirs.version(NEWEST) < CHANGES_SINCE) {
      return "the members of the group have changed, which protocol "
          + theirs.version(NEWEST)
          + " there does not know: upgrade it first";
    }
    String missing = missing(theirs, self) == null ? missing(theirs, other) : missing(theirs, self);
    return missing == null ? difference(theirs, OF_MEMBERS) : missing;
  }

  private String missing(GroupAgreement theirs, String member) {
    int here = slot(member);
    int there = theirs.slot(member);
    if (here >= 0 && here == there) {
      return null;
    }
    String what = here < 0 ? NO_MEMBER_HERE : NO_MEMBER_THERE;
    return member
        + (here >= 0 && there >= 0 ? " has another place" : what)
        + ": the members here are "
        + values.get(MEMBERS)
        + ", there "
        + theirs.values.get(MEMBERS);
  }

  /** Whether a difference may be over in a moment: one of the two knows other members yet. */
  public static boolean mayPass(String difference) {
    return difference.contains(NO_MEMBER_HERE) || difference.contains(NO_MEMBER_THERE);
  }

  private int slot(String member) {
    return List.of(values.getOrDefault(MEMBERS, "").split(",", -1)).indexOf(member);
  }

  /** Describes all differences, with both values; null if there is none. */
  public String difference(GroupAgreement theirs) {
    return difference(theirs, Set.of());
  }

  private String difference(GroupAgreement theirs, Set<String> except) {
    List<String> differences = new ArrayList<>();
    if (version(OLDEST) > theirs.version(NEWEST) || theirs.version(OLDEST) > version(NEWEST)) {
      differences.add("there protocol is " + theirs.versions() + ", here " + versions());
    }
    values.forEach(
        (name, value) -> {
          if (except.contains(name) || name.equals(NEWEST) || name.equals(OLDEST)) {
            return;
          }
          String other = theirs.values.getOrDefault(name, "not told");
          boolean witness = name.equals(PROCESSOR) && (value.equals(NONE) || other.equals(NONE));
          if (!other.equals(value) && !witness) {
            differences.add("there " + name + " is " + other + ", here " + value);
          }
        });
    return differences.isEmpty() ? null : String.join(SEPARATOR, differences);
  }

  /** A version that was told; of one that speaks one version only, that. */
  private int version(String name) {
    String told = values.getOrDefault(name, values.getOrDefault(OLDEST, ""));
    return told.matches("[0-9]{1,6}") ? Integer.parseInt(told) : 0;
  }

  /** Whether it is told by an earlier version than the other one. */
  public boolean isBefore(GroupAgreement other) {
    return version(NEWEST) < other.version(NEWEST);
  }

  private String versions() {
    return version(OLDEST) + " to " + version(NEWEST);
  }

  /** All values as one text: a part of the wire format. */
  public String text() {
    List<String> entries = new ArrayList<>();
    values.forEach((name, value) -> entries.add(name + VALUE + value));
    return String.join(SEPARATOR, entries);
  }

  @Override
  public String toString() {
    return text();
  }
}
