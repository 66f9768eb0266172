package dev.weir.cluster;

/**
 * Which of the two members of a group goes on when they do not hear each other. With both policies
 * nothing that was acknowledged is lost while the disks of the two are there.
 */
public enum PairPolicy {
  /**
   * A backup takes over from a primary that is silent for {@code takeoverMs}. So a primary cannot
   * know what a silent backup does, and accepts nothing until the backup is heard again or was
   * proven gone at once. Survives a primary that hangs, and a machine that dies without a word.
   */
  BACKUP_TAKES_OVER,

  /**
   * A primary leaves out a backup that is silent for {@code takeoverMs}, and continues alone: what
   * it acknowledges then is lost with its disk. So a backup cannot know what a silent primary does.
   * It takes over if the primary steps down, or if its process is proven gone within {@code
   * leaseMs} after its last heartbeat. Else it waits until the primary's disk is back, or for
   * {@link ForcedPrimary}. Survives a backup that hangs, or was stopped and then killed.
   */
  PRIMARY_CONTINUES
}
