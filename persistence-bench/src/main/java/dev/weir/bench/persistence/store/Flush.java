package dev.weir.bench.persistence.store;

import dev.weir.bench.program.Names;

/** What a commit waits for, and so what a committed message survives. */
public enum Flush {
  /** Nothing: what lies in the process's buffers is lost with it. */
  NONE("in buffers of the process; lost with it"),
  /** The operating system has it: survives a killed process, not a power loss. */
  OS("written to the OS; survives a killed process"),
  /** The device has it: survives a power loss. */
  DISK("forced to the device; survives power loss");

  private final String meaning;

  Flush(String meaning) {
    this.meaning = meaning;
  }

  /** What a committed message survives. */
  public String meaning() {
    return meaning;
  }

  @Override
  public String toString() {
    return Names.of(this);
  }
}
