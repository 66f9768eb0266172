package dev.weir.cluster.protocol;

import java.util.List;

/** What simulated members send each other. */
sealed interface SimFrame {

  record Roles(Control control) implements SimFrame {}

  /** Backup to primary: this is my log, bring me yours. */
  record Hello(long epoch, List<SimEntry> log) implements SimFrame {}

  /** Primary to backup: keep as many, then append these. */
  record Sync(long epoch, int keep, List<SimEntry> rest) implements SimFrame {}

  record Append(long epoch, int position, SimEntry entry) implements SimFrame {}

  /** Backup to primary: I hold as many. */
  record Held(long epoch, int end) implements SimFrame {}
}
