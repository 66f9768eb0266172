package dev.weir.cluster.protocol;

/**
 * What a replica knows of another member: its connection, the process that is believed to run, and
 * what that process said last. Times are of the replica's own clock.
 */
final class Member {
  /** A time long before all others. */
  static final long NEVER = Long.MIN_VALUE / 2;

  final int index;
  final int bit;

  private boolean connected;

  /**
   * The member's process is proven gone. Reset when the member is heard of or joins the set again.
   */
  private boolean refused;

  /**
   * The member was heard of after it joined the in-sync set, or was never in the set. So a proof
   * that its process is gone concerns the process that is in the set.
   */
  private boolean met;

  /** Id of the process last heard of; 0 if there is none. */
  private long process;

  /** Id of that process's disk. */
  private long disk;

  /** Number of the last control message of that process. */
  private long number;

  /** When the connection began, or the last one did. */
  private long connectedNs = NEVER;

  /** That process has answered a heartbeat that was sent on this connection. */
  private boolean heard;

  /**
   * Whether the process of the last connection was heard on it. If not, a refusal may be that of a
   * second process of this name, and proves nothing about the one that was heard before.
   */
  private boolean lostHeard;

  /** Last heartbeat, or answer to one, since the member connected; null if there is none. */
  private Control said;

  /** When the member last got the promise of {@link Control#VOUCHED} from this replica. */
  private long vouchedNs = NEVER;

  Member(int index) {
    this.index = index;
    this.bit = 1 << index;
  }

  boolean isConnected() {
    return connected;
  }

  boolean isRefused() {
    return refused;
  }

  long process() {
    return process;
  }

  long disk() {
    return disk;
  }

  Control said() {
    return said;
  }

  long vouchedNs() {
    return vouchedNs;
  }

  /** The process that messages to the member are meant for; 0 if none has answered yet. */
  long receiver() {
    return heard ? process : 0;
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

  /** Takes in a message; returns whether the same process sent a later one that is here already. */
  boolean isLate(Control control) {
    boolean same = control.sender() == process;
    boolean late = same && control.number() <= number;
    number = same && !late ? control.number() : number;
    return late;
  }

  /** The process of the member says how it stands. */
  void hear(Control control) {
    met = true;
    heard |= isAnswered(control);
    said = control;
  }

  /** There is a connection: a proof that the process is gone is void. */
  void connect(long nowNs) {
    connected = true;
    connectedNs = nowNs;
    refused = false;
  }

  void lose() {
    if (connected) {
      lostHeard = heard;
    }
    connected = false;
    heard = false;
    said = null;
  }

  /** The member's address refuses connections; returns whether that proves its process gone. */
  boolean refuse() {
    boolean proven = !connected && met && lostHeard;
    refused |= proven;
    return proven;
  }

  /** The member joined the in-sync set, maybe with a process that is unknown here. */
  void join() {
    refused = false;
    met = false;
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
  }

  /** The member gets the promise of {@link Control#VOUCHED}. */
  void vouch(long nowNs) {
    vouchedNs = nowNs;
  }

  /** The process that had the promise is gone. */
  void endPromise() {
    vouchedNs = NEVER;
  }
}
