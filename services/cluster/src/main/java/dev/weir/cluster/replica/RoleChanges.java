package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.GroupView;
import dev.weir.cluster.Role;
import dev.weir.cluster.protocol.Control;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.protocol.ProtocolEffects;
import dev.weir.cluster.state.History;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the decisions of the protocol to log, leader, backup and reply outlet. Under the group's
 * lock.
 */
final class RoleChanges implements ProtocolEffects {
  private static final Logger LOG = LoggerFactory.getLogger(RoleChanges.class);

  /**
   * An event of Flight Recorder: a member of a group has another role, or the same in a new epoch.
   */
  @Name("dev.weir.RoleChange")
  @Label("Role change")
  @Description("A member of a group has another role, or the same role in a new epoch")
  @Category("Weir")
  @StackTrace(false)
  static final class RoleChangeEvent extends Event {
    @Label("Group")
    String group;

    @Label("Member")
    String member;

    @Label("Role")
    String role;

    @Label("Epoch")
    long epoch;
  }

  private final GroupOptions options;
  private final int self;
  private final History history;
  private final Leader leader;
  private final Backup backup;
  private final ReplyOutlet replies;
  private final Transport transport;
  private final ReplicaClock clock;

  private final MemberChanges memberChanges = new MemberChanges();

  /** The members that were told last. */
  private Membership known;

  private final String selfName;

  /** The newest first. */
  private final Deque<GroupView.RoleChange> last = new ArrayDeque<>();

  private final ByteBuffer small = ByteBuffer.allocateDirect(Frames.SMALL_BYTES);
  private long count;

  RoleChanges(
      GroupOptions options,
      int self,
      History history,
      Leader leader,
      Backup backup,
      ReplyOutlet replies,
      Transport transport,
      ReplicaClock clock) {
    this.options = options;
    this.self = self;
    this.history = history;
    this.leader = leader;
    this.backup = backup;
    this.replies = replies;
    this.transport = transport;
    this.clock = clock;
    this.known = members();
    this.selfName = known.name(self);
  }

  MemberChanges memberChanges() {
    return memberChanges;
  }

  @Override
  public void send(int member, Control control) {
    boolean behind = history.persisted().position() < history.end().position();
    Frames.begin(small, Frames.CONTROL, control.epoch());
    control.encode(small, behind, history.ownVersion());
    transport.send(member, small.flip());
  }

  @Override
  public void save(GroupRecord record) {
    GroupRecord before = history.log().record();
    history.log().save(record);
    if (!leader.isLeading()) {
      return;
    }
    if (record.inSync() != before.inSync()) {
      LOG.info(
          "group {}: in sync are {} in epoch {}",
          options.getName(),
          String.join(" ", members().names(record.inSync())),
          record.epoch());
      warnIfAlone(record);
    }
    if (record.voters() != before.voters()) {
      LOG.info(
          "group {}: {} members may vote in epoch {}",
          options.getName(),
          record.voters(),
          record.epoch());
    }
  }

  private void warnIfAlone(GroupRecord record) {
    boolean alone = record.inSync() == 1 << self && members().size() > 1;
    if (alone && options.getMinInSync() == 1) {
      LOG.warn(
          "group {}: {} continues alone: messages that it acknowledges now are on its disk only",
          options.getName(),
          name(self));
    }
  }

  private Membership members() {
    return Membership.of(history.log().record(), options);
  }

  @Override
  public void members(Membership members) {
    LOG.info("group {}: the members are {}", options.getName(), members);
    for (int slot = 0; slot < Membership.SLOTS; slot++) {
      if (slot != self && !members.name(slot).equals(known.name(slot))) {
        leader.onConnected(slot);
      }
    }
    known = members;
    transport.members(members);
    memberChanges.made(members);
  }

  @Override
  public void lead(long epoch) {
    backup.stop();
    leader.begin(epoch);
    LOG.info(
        "group {}: {} is primary of epoch {} from position {} on",
        options.getName(),
        name(self),
        epoch,
        history.end().position());
    changed(Role.PRIMARY, epoch, name(self));
  }

  @Override
  public void follow(int primary, long epoch) {
    memberChanges.lost();
    leader.end();
    LOG.info(
        "group {}: {} follows {} in epoch {}", options.getName(), name(self), name(primary), epoch);
    changed(shown(Role.BACKUP), epoch, name(primary));
    backup.follow(primary, epoch);
  }

  @Override
  public void idle(long epoch, String why) {
    memberChanges.lost();
    leader.end();
    backup.stop();
    LOG.info("group {}: {} has no role: {}", options.getName(), name(self), why);
    changed(Role.WAITING, epoch, null);
  }

  /** The role as users see it: a witness follows its primary as a backup does. */
  Role shown(Role role) {
    return role == Role.BACKUP && members().witness() == self ? Role.WITNESS : role;
  }

  private void changed(Role role, long epoch, String primary) {
    count++;
    remember(role, epoch, primary);
    RoleChangeEvent event = new RoleChangeEvent();
    if (event.isEnabled()) {
      event.group = options.getName();
      event.member = name(self);
      event.role = role.name();
      event.epoch = epoch;
      event.commit();
    }
    replies.onRole(role, epoch);
  }

  /** The replica has failed: it has no role any more. */
  void failed(long epoch) {
    memberChanges.lost();
    remember(Role.WAITING, epoch, null);
  }

  private void remember(Role role, long epoch, String primary) {
    if (last.size() == GroupView.MAX_CHANGES) {
      last.removeLast();
    }
    last.addFirst(new GroupView.RoleChange(clock.timeMs(), role, epoch, primary));
  }

  /** The last changes, the newest first. */
  List<GroupView.RoleChange> last() {
    return List.copyOf(last);
  }

  /** Number of changes of the role or its epoch since the start. */
  long count() {
    return count;
  }

  private String name(int member) {
    return member == self ? selfName : members().name(member);
  }
}
