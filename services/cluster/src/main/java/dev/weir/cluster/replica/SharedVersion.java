package dev.weir.cluster.replica;

import dev.weir.cluster.protocol.Control;
import dev.weir.cluster.protocol.GroupMachine;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.state.History;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of the application in which a primary has messages handled: the highest one that all
 * members understand. Under the group's lock.
 */
final class SharedVersion {
  private static final Logger LOG = LoggerFactory.getLogger(SharedVersion.class);

  private final String group;
  private final int self;
  private final GroupMachine machine;
  private final History history;

  /** Bit set of the members that were logged as too old. */
  private int warned;

  SharedVersion(String group, int self, GroupMachine machine, History history) {
    this.group = group;
    this.self = self;
    this.machine = machine;
    this.history = history;
  }

  /**
   * The version of a batch that begins now. It rises when all members that hold messages are
   * connected and state a higher one, and never falls.
   */
  int next() {
    int common = history.ownVersion();
    for (int slot = 0; slot < Membership.SLOTS && common > history.version(); slot++) {
      common = holds(slot) ? Math.min(common, stated(slot)) : common;
    }
    if (common > history.version()) {
      LOG.info(
          "group {}: all members state application version {}, messages from position {} on are of it",
          group,
          common,
          history.end().position());
      history.raise(common);
    }
    return history.version();
  }

  /** Whether this is another member that holds messages. */
  private boolean holds(int slot) {
    Membership members = machine.membership();
    return slot != self
        && slot != members.witness()
        && !members.name(slot).equals(Membership.VACANT);
  }

  /** The version that a member states on its present connection; the lowest if it says nothing. */
  private int stated(int member) {
    Control said = machine.said(member);
    return said == null ? 1 : said.version();
  }

  /** Whether a member understands the history; if not, that is logged once. */
  boolean mayFeed(int member) {
    boolean may = stated(member) >= history.version();
    if (!may && (warned & 1 << member) == 0) {
      LOG.warn(
          "group {}: {} gets no messages: its processor states application version {}, and they are of"
              + " version {}; start the later version there",
          group,
          machine.name(member),
          stated(member),
          history.version());
    }
    warned = may ? warned & ~(1 << member) : warned | 1 << member;
    return may;
  }
}
