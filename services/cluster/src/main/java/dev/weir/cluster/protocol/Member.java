package dev.weir.cluster.protocol;

/** What a replica knows of another member. Times are of the replica's own clock. */
final class Member {
  /** A time long before all others. */
  static final long NEVER = Long.MIN_VALUE / 2;

  final int index;
  final int bit;
  boolean connected;

  /**
   * Its process is proven gone, and it has not been heard of since, nor came into the set again.
   */
  boolean refused;

  /**
   * It was heard of since it came into the in-sync set this replica knows, or never was in it: what
   * is proven of its process is proven of the one that is counted on.
   */
  boolean met;

  /** The process last heard of; 0 if none. */
  long process;

  /** Its last heartbeat or answer to one since it was connected; null if there is none. */
  Control said;

  /**
   * As primary: when the last heartbeat was sent that it has answered as a backup of this epoch.
   */
  long leaseNs = NEVER;

  /** As primary: since when it has been silent. */
  long silentSinceNs = NEVER;

  /** As primary: when it was last told that it is counted on. */
  long vouchedNs = NEVER;

  /** As primary: it has all of this history and waits to be counted on. */
  boolean caughtUp;

  Member(int index) {
    this.index = index;
    this.bit = 1 << index;
  }

  /** It is heard of: what was known of its end is void. */
  void connect() {
    connected = true;
    refused = false;
  }

  /** The primary counts on a process of it that may be another than the one known here. */
  void join() {
    refused = false;
    met = false;
  }

  void lose() {
    connected = false;
    said = null;
    caughtUp = false;
  }

  /** Another process has its name now. Promises to and from the old one are void. */
  void restart(long itsProcess) {
    process = itsProcess;
    said = null;
    caughtUp = false;
    leaseNs = NEVER;
    vouchedNs = NEVER;
  }
}
