package dev.weir.flow.impl;

import dev.weir.queue.DurableQueue.Admission;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Records in Flight Recorder when messages of a service begin to wait on disk, and how long it
 * takes until none waits there. Used on the service's event loop. The class of an event takes some
 * 50 ms to load, so nothing loads one while there is no recording.
 */
final class SpillEvents {
  /** The first message that found no room in memory. */
  @Name("dev.weir.Spill")
  @Label("Spill")
  @Description("Messages of a service begin to wait on disk")
  @Category("Weir")
  @StackTrace(false)
  static final class SpillEvent extends Event {
    @Label("Service")
    String service;
  }

  /** The time from a spill until nothing waits on disk. */
  @Name("dev.weir.Drain")
  @Label("Drain")
  @Description("No message of a service waits on disk any more; it lasts from the spill on")
  @Category("Weir")
  @StackTrace(false)
  static final class DrainEvent extends Event {
    @Label("Service")
    String service;

    @Label("Spilled messages")
    long messages;
  }

  /** Since nothing waited on disk; 0 if nothing was spilled since then. */
  private long messages;

  /** Null while nothing was spilled, and if there was no recording at the spill. */
  private DrainEvent drain;

  /** A message that found no room in memory was offered to the disk. */
  void offered(String service, Admission admission) {
    if (admission == Admission.ACCEPTED && ++messages == 1 && FlightRecorder.isInitialized()) {
      SpillEvent spill = new SpillEvent();
      spill.service = service;
      spill.commit();
      drain = new DrainEvent();
      drain.begin();
    }
  }

  /** Called after each change with the number of messages that wait on disk. */
  void waiting(String service, long onDisk) {
    if (messages > 0 && onDisk == 0) {
      if (drain != null) {
        drain.service = service;
        drain.messages = messages;
        drain.commit();
        drain = null;
      }
      messages = 0;
    }
  }
}
