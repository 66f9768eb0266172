package dev.weir.bench.persistence.store;

/** What a commit waits for, and so what a committed message survives. */
public enum Flush {
  /** Nothing: what lies in the process's buffers is lost with it. */
  NONE("none", "in buffers of the process; lost with it"),
  /** The operating system has it: survives a killed process, not a power loss. */
  OS("os", "written to the OS; survives a killed process"),
  /** The device has it: survives a power loss. */
  DISK("disk", "forced to the device; survives power loss");

  private final String label;
  private final String meaning;

  Flush(String label, String meaning) {
    this.label = label;
    this.meaning = meaning;
  }

  /** What a committed message survives. */
  public String meaning() {
    return meaning;
  }

  @Override
  public String toString() {
    return label;
  }
}
