package dev.weir.flow;

/** Where a service's handler runs. */
public enum RunOn {
  /** On the service's event loop: the handler must not block. */
  EVENT_LOOP,
  /** On a pool of as many platform threads as the service has workers: the handler may block. */
  WORKER,
  /**
   * On a virtual thread of its own (Java 21 and later), with a Vert.x context of its own: the
   * handler may block, and may await futures of Vert.x.
   */
  VIRTUAL_THREAD
}
