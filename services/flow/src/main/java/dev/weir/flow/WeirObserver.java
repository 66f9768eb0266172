package dev.weir.flow;

/** Told which services of a {@link Weir} come and go. Calls come one at a time, on any thread. */
public interface WeirObserver {
  /**
   * A service starts to take messages, or did so before the observer was set.
   *
   * @return told of each message that is timed, or null
   */
  ServiceObserver opened(Service service);

  /** A service is closed, or could not be opened after all. */
  void closed(Service service);
}
