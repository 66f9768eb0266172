package dev.weir.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.PairPolicy;
import java.util.ArrayList;
import java.util.List;

/** One {@link GroupMachine}, a clock to turn, and what the other members may say to it. */
final class MachineRig implements ProtocolEffects {
  /** Members as bits of a set. */
  static final int A = 1;

  static final int B = 2;
  static final int C = 4;

  /** End of the log of a backup. */
  static final LogEnd END = new LogEnd(3, 10);

  /** A member that is alone in sync leads so long after its start. */
  static final int TAKEOVER_MS = 1_000;

  private static final long MS = 1_000_000;

  /** Negative, as monotonic times may be. */
  private static final long START_NS = -5_000 * MS;

  final GroupOptions options;
  final GroupMachine machine;
  final int self;
  final List<String> done = new ArrayList<>();
  final List<Control> sent = new ArrayList<>();
  GroupRecord record;
  LogEnd end = LogEnd.EMPTY;
  long nowNs = START_NS;
  private long number;
  private final long[] process = {101, 102, 103};

  /** The processes that have answered. */
  private final long[] introduced = new long[3];

  private final long[] disk = {1, 2, 3};

  /** A lease of 600 ms, a takeover after 1000 ms. */
  MachineRig(int members, int minInSync, int self, GroupRecord record) {
    this(members, null, minInSync, self, record, 0);
  }

  private MachineRig(
      int members, String witness, int minInSync, int self, GroupRecord record, int handBackMs) {
    this(
        new GroupOptions()
            .setMembers(List.of("a", "b", "c").subList(0, members))
            .setWitness(witness)
            .setMinInSync(minInSync)
            .setHandBackMs(handBackMs),
        self,
        record);
  }

  private MachineRig(GroupOptions options, int self, GroupRecord record) {
    this.self = self;
    this.record = record;
    this.options = options.validate();
    machine = new GroupMachine(options, self, record, disk[self], () -> end, this, nowNs);
  }

  /** A member of a group of a, b and the witness c. */
  static MachineRig withWitness(int self, GroupRecord record) {
    return new MachineRig(3, "c", 1, self, record, 0);
  }

  /** One of two members whose primary continues. */
  private static MachineRig ofPair(int self, GroupRecord record) {
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("a", "b"))
            .setPairPolicy(PairPolicy.PRIMARY_CONTINUES);
    return new MachineRig(options, self, record);
  }

  /** A primary of epoch 4, of two members whose primary continues, with its backup in sync. */
  static MachineRig continuingPrimary() {
    MachineRig rig = ofPair(0, GroupRecord.ofPrimary(0, 3));
    rig.pass(TAKEOVER_MS);
    rig.joins(1);
    return rig;
  }

  /** A backup of two whose primary continues, in sync with primary a of epoch 4. */
  static MachineRig backupOfContinuing() {
    return backup(ofPair(1, new GroupRecord(3, -1, 3, 1, 0)));
  }

  /** A primary of epoch 4 that is alone in its set. */
  static MachineRig primary(int members, int minInSync) {
    return primary(members, minInSync, 0);
  }

  static MachineRig primary(int members, int minInSync, int handBackMs) {
    MachineRig rig =
        new MachineRig(members, null, minInSync, 0, GroupRecord.ofPrimary(0, 3), handBackMs);
    rig.pass(TAKEOVER_MS);
    return rig;
  }

  /** A primary of epoch 4, of two members, with its backup in sync. */
  static MachineRig primaryOfTwo() {
    MachineRig rig = primary(2, 1);
    rig.joins(1);
    return rig;
  }

  /** A primary of epoch 4, of three members, with both others in sync. */
  static MachineRig threeInSync() {
    MachineRig rig = primary(3, 1);
    rig.joins(1);
    rig.joins(2);
    rig.agrees(1);
    assertThat(rig.machine.inSync()).isEqualTo(A | B | C);
    return rig;
  }

  /** The record of a member that was told a set; it does not know the disks. */
  static GroupRecord inSync(long epoch, int members, long version) {
    return new GroupRecord(epoch, -1, epoch, members, version);
  }

  /** A primary of epoch 4, not the preferred member, that hands over after so long. */
  static MachineRig standIn(int members, int handBackMs) {
    MachineRig rig = new MachineRig(members, null, 1, 1, GroupRecord.ofPrimary(1, 3), handBackMs);
    rig.pass(TAKEOVER_MS);
    return rig;
  }

  /** A backup that is in sync with primary a of epoch 4, all being in sync, told just now. */
  static MachineRig backup(int members, int self) {
    return backup(new MachineRig(members, 1, self, new GroupRecord(3, -1, 3, 1, 0)));
  }

  /** A backup of three, in sync with primary a of epoch 4, with heartbeats so far apart. */
  static MachineRig backupOfThree(int self, int heartbeatMs) {
    GroupOptions options =
        new GroupOptions().setMembers(List.of("a", "b", "c")).setHeartbeatMs(heartbeatMs);
    return backup(new MachineRig(options, self, new GroupRecord(3, -1, 3, 1, 0)));
  }

  private static MachineRig backup(MachineRig rig) {
    rig.end = END;
    rig.pass(2_000);
    rig.connectAll();
    rig.primaryBeats((1 << rig.options.getMembers().size()) - 1, 2);
    return rig;
  }

  void connectAll() {
    for (int i = 0; i < options.getMembers().size(); i++) {
      if (i != self) {
        machine.onConnected(i, nowNs);
      }
    }
  }

  /** Time passes, in ticks of a heartbeat. */
  void pass(long ms) {
    for (long left = ms; left > 0; left -= 50) {
      nowNs += Math.min(left, 50) * MS;
      machine.tick(nowNs);
    }
  }

  /** The process is stopped for a while. */
  void stopped(long ms) {
    nowNs += ms * MS;
  }

  /** The process of a member ends: its connection breaks, and its address refuses others. */
  void dies(int member) {
    machine.onLost(member, nowNs);
    machine.onRefused(member, nowNs);
  }

  void restart(int member) {
    process[member] += 100;
  }

  /** A process of a member starts with another disk. */
  void restartElsewhere(int member) {
    restart(member);
    disk[member] += 10;
  }

  /** And with the first disk again. */
  void restartWithFirstDisk(int member) {
    restart(member);
    disk[member] = member + 1;
  }

  /** The process that the member had at first is heard again. */
  void comesBack(int member) {
    process[member] = 101 + member;
    disk[member] = member + 1;
  }

  Control told(
      Control.Type type, int from, GroupRecord its, int primary, LogEnd itsEnd, int flags) {
    long sender = process[from];
    return new Control(
        type,
        its,
        ++number,
        sender,
        START_NS,
        nowNs,
        disk[from],
        primary,
        itsEnd,
        flags | Control.CHANGEABLE);
  }

  /** The same to another process of the receiver; 0 for a sender that does not know one. */
  static Control to(long receiver, Control control, int flags) {
    return new Control(
        control.type(),
        control.record(),
        control.number(),
        control.sender(),
        receiver,
        control.sentNs(),
        control.disk(),
        control.primary(),
        control.end(),
        flags);
  }

  void hear(int from, Control control) {
    machine.onControl(from, control, nowNs);
  }

  /**
   * A process answers the first heartbeat on its connection, and says what it will say next, but
   * does not follow this one yet.
   */
  private void introduces(int from, GroupRecord its, int primary, LogEnd itsEnd, int flags) {
    if (introduced[from] != process[from]) {
      introduced[from] = process[from];
      int known = primary == self ? -1 : primary;
      hear(from, told(Control.Type.HEARTBEAT_ACK, from, its, known, itsEnd, flags));
    }
  }

  void beats(int from, GroupRecord its, int primary, LogEnd itsEnd) {
    int flags = primary == from ? Control.COUNTED : 0;
    introduces(from, its, primary, itsEnd, flags);
    hear(from, told(Control.Type.HEARTBEAT, from, its, primary, itsEnd, flags));
  }

  /** What a primary of epoch 4 stores, if all members have their first disks. */
  private GroupRecord ofFirstDisks(int inSync, long version) {
    long disks = 0;
    long voter = 0;
    for (int i = 0; i < options.getMembers().size(); i++) {
      boolean holds = (inSync & 1 << i) != 0;
      disks += holds ? GroupRecord.disk(i, i + 1) : 0;
      voter = holds ? voter : i + 1;
    }
    return new GroupRecord(4, -1, 4, inSync, version, disks, 0, voter);
  }

  /** A primary of epoch 4, a, tells its set. */
  void primaryBeats(int inSync, long version) {
    GroupRecord its = ofFirstDisks(inSync, version);
    introduces(0, its, 0, end, Control.COUNTED);
    hear(0, told(Control.Type.HEARTBEAT, 0, its, 0, end, Control.COUNTED));
  }

  /** The primary a answers a heartbeat sent now, and counts on this replica. */
  void primaryVouches(int inSync, long version) {
    GroupRecord its = ofFirstDisks(inSync, version);
    hear(0, told(Control.Type.HEARTBEAT_ACK, 0, its, 0, end, Control.VOUCHED | Control.COUNTED));
  }

  /** The answer of a member to a heartbeat. */
  Control answer(int from, Control heartbeat, GroupRecord its) {
    return new Control(
        Control.Type.HEARTBEAT_ACK,
        its,
        ++number,
        process[from],
        heartbeat.sender(),
        heartbeat.sentNs(),
        disk[from],
        self,
        end,
        Control.CHANGEABLE);
  }

  /** A backup answers a heartbeat sent now. */
  void answers(int from) {
    hear(from, told(Control.Type.HEARTBEAT_ACK, from, record, self, end, 0));
  }

  /** Time passes while backups answer every heartbeat; some of them could take over at once. */
  void passAnswered(long ms, int continuous, int... backups) {
    for (long left = ms; left > 0; left -= 50) {
      pass(Math.min(left, 50));
      for (int from : backups) {
        int flags = (continuous & 1 << from) == 0 ? 0 : Control.CONTINUOUS;
        hear(from, told(Control.Type.HEARTBEAT_ACK, from, record, self, end, flags));
      }
    }
  }

  void wantsVote(int from, long epoch, GroupRecord its, LogEnd itsEnd, int flags) {
    GroupRecord proposed =
        new GroupRecord(epoch, -1, its.inSyncEpoch(), its.inSync(), its.version());
    hear(from, told(Control.Type.VOTE_REQUEST, from, proposed, -1, itsEnd, flags));
  }

  void votes(int from, long epoch) {
    GroupRecord its = record.withVote(-1, epoch, 0);
    hear(from, told(Control.Type.VOTE, from, its, -1, end, Control.GRANTED));
  }

  void agrees(int from) {
    GroupRecord asked = last(Control.Type.IN_SYNC).record();
    GroupRecord its = withoutDisks(asked.follow(asked.epoch()));
    hear(from, told(Control.Type.IN_SYNC_ACK, from, its, self, end, 0));
  }

  /** It comes into the set of this primary. */
  void joins(int member) {
    if (machine.primary() != self) {
      throw new IllegalStateException(machine.reason());
    }
    machine.onConnected(member, nowNs);
    beats(member, record, self, end);
    answers(member);
    machine.onCaughtUp(member, nowNs);
  }

  Control last(Control.Type type) {
    Control last = null;
    for (Control control : sent) {
      last = control.type() == type ? control : last;
    }
    return last;
  }

  boolean lastVoteIsGranted() {
    return last(Control.Type.VOTE).has(Control.GRANTED);
  }

  boolean mayAccept() {
    return machine.mayAccept(nowNs);
  }

  @Override
  public void send(int member, Control control) {
    sent.add(control);
  }

  @Override
  public void save(GroupRecord changed) {
    record = withoutDisks(changed);
  }

  /** The other members of the rig do not tell the disks. */
  private static GroupRecord withoutDisks(GroupRecord its) {
    return new GroupRecord(
            its.epoch(), its.votedFor(), its.inSyncEpoch(), its.inSync(), its.version())
        .withMembership(its.membership());
  }

  @Override
  public void members(Membership members) {
    done.add("members " + members);
  }

  @Override
  public void lead(long epoch) {
    done.add("lead " + epoch);
  }

  @Override
  public void follow(int primary, long epoch) {
    done.add("follow " + primary + " in " + epoch);
  }

  @Override
  public void idle(long epoch, String why) {
    done.add("idle");
  }
}
