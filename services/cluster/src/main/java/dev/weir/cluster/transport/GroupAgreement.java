package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;

/**
 * The options that must be the same on two members before they may be connected. Every transport
 * compares them when it connects.
 *
 * @param members names of the group's members in their order, separated by commas
 * @param maxFrameBytes bytes of the largest frame
 */
public record GroupAgreement(String members, int maxFrameBytes) {
  public static GroupAgreement of(GroupOptions options) {
    return new GroupAgreement(
        String.join(",", options.getMembers()), FrameLimits.of(options).maxFrameBytes());
  }

  /** Describes the first difference, with both values; null if there is none. */
  public String difference(GroupAgreement theirs) {
    if (!members.equals(theirs.members)) {
      return "there members is " + theirs.members + ", here " + members;
    }
    return maxFrameBytes == theirs.maxFrameBytes
        ? null
        : "batchBytes and maxMessageBytes allow frames of "
            + theirs.maxFrameBytes
            + " bytes there, of "
            + maxFrameBytes
            + " here";
  }

  /** All options as one text; part of the wire format of transports that send them as text. */
  public String text() {
    return "members " + members + " and frames of " + maxFrameBytes + " bytes";
  }
}
