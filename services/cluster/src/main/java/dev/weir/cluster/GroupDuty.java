package dev.weir.cluster;

/** What a thread of a group does. */
public enum GroupDuty {
  /** Handles messages, and all that no other thread does. */
  PROCESSOR,
  /** Brings other members to the history, and writes snapshots. */
  FEEDER,
  /** Writes the log. */
  PERSISTER,
  /** Sends frames to other members. */
  SENDER,
  /** Reads what comes from other members by TCP, where no other thread polls for it. */
  LINK_READER,
  /** Handles frames of other members. */
  DISPATCHER,
  /** Gives out replies. */
  REPLIES
}
