package dev.weir.bench.persistence;

import com.sleepycat.je.Durability;

/** What a commit waits for. */
enum Flush {
  /** Nothing: what lies in the process's buffers is lost with it. */
  NONE("none", Durability.COMMIT_NO_SYNC, "in buffers of the process; lost with it"),
  /** The operating system has it: survives a killed process, not a power loss. */
  OS("os", Durability.COMMIT_WRITE_NO_SYNC, "written to the OS; survives a killed process"),
  /**
   * The device has it: survives a power loss. The log files of JE are opened with O_DSYNC then, so
   * that the one write of a commit returns when the device has it, and no second call is needed.
   */
  DISK("disk", Durability.COMMIT_WRITE_NO_SYNC, "forced to the device; survives power loss");

  private final String label;
  private final Durability je;
  private final String meaning;

  Flush(String label, Durability je, String meaning) {
    this.label = label;
    this.je = je;
    this.meaning = meaning;
  }

  /** The durability of a JE commit. */
  Durability je() {
    return je;
  }

  /** What a committed message survives. */
  String meaning() {
    return meaning;
  }

  @Override
  public String toString() {
    return label;
  }
}
