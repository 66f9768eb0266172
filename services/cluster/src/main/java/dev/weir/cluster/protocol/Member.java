package dev.weir.cluster.protocol;

/** The knowledge of a replica about another member. Times are of the replica's own clock. */
final class Member {
  /** A time long before all others. */
  static final long NEVER = Long.MIN_VALUE / 2;

  final int index;
  final int bit;
  boolean connected;

  /**
   * The member's process is proven gone. Reset when the member is heard of or joins the set again.
   */
  boolean refused;

  /**
   * The member was heard of after it joined the in-sync set, or was never in the set. So a proof
   * that its process is gone concerns the process that is in the set.
   */
  boolean met;

  /** Id of the process last heard of; 0 if there is none. */
  long process;

  /** Id of that process's disk. */
  long disk;

  /** Number of the last control message of that process. */
  private long number;

  /** When the connection began, or the last one did. */
  private long connectedNs = NEVER;

  /** That process has answered a heartbeat that was sent on this connection. */
  boolean heard;

  /**
   * Whether the process of the last connection was heard on it. If not, a refusal may be that of a
   * second process of this name, and proves nothing about the one that was heard before.
   */
  boolean lostHeard;

  /** As primary: the process that is in the in-sync set, and the id of its disk; 0 for none. */
  long counted;

  long countedDisk;

  /** Last heartbeat, or answer to one, since the member connected; null if there is none. */
  Control said;

  /**
   * As primary: when the last heartbeat was sent that the member answered as a backup of this
   * epoch.
   */
  long leaseNs = NEVER;

  /** As primary: since when the member has been silent. */
  long silentSinceNs = NEVER;

  /** As primary: when the member last got the promise of {@link Control#VOUCHED}. */
  long vouchedNs = NEVER;

  /** As primary: the member has the whole history and waits to join the in-sync set. */
  boolean caughtUp;

  Member(int index) {
    this.index = index;
    this.bit = 1 << index;
  }

  /**
   * Whether the message is of the process that is known, or of a new one that shows that it runs:
   * it answers a heartbeat that was sent on this connection. No process that ended before has sent
   * such an answer, however late its messages arrive.
   *
   * @param known whether the sender names the receiving process
   */
  boolean mayBelieve(Control control, boolean known) {
    return process == control.sender()
        ? connected && (known || control.type() == Control.Type.HEARTBEAT)
        : known && isAnswered(control);
  }

  private boolean isAnswered(Control control) {
    return control.type() == Control.Type.HEARTBEAT_ACK
        && connected
        && control.sentNs() - connectedNs >= 0;
  }

  /** The process of the member says how it stands. */
  void hear(Control control) {
    met = true;
    heard |= isAnswered(control);
    said = control;
  }

  /** Whether the message arrives behind one that the same process sent later. */
  boolean isLate(Control control) {
    boolean same = control.sender() == process;
    boolean late = same && control.number() <= number;
    number = same && !late ? control.number() : number;
    return late;
  }

  /** There is a connection: a proof that the process is gone is void. */
  void connect(long nowNs) {
    connected = true;
    connectedNs = nowNs;
    refused = false;
  }

  /** The member joined the in-sync set, maybe with a process that is unknown here. */
  void join() {
    refused = false;
    met = false;
  }

  void lose() {
    if (connected) {
      lostHeard = heard;
    }
    connected = false;
    heard = false;
    said = null;
    caughtUp = false;
  }

  /**
   * Another process has the member's name now. What the old one promised is void; what it was
   * promised is not, as it may still run.
   */
  void restart(Control itsFirst) {
    process = itsFirst.sender();
    number = itsFirst.number();
    disk = itsFirst.disk();
    said = null;
    caughtUp = false;
    leaseNs = NEVER;
  }
}
