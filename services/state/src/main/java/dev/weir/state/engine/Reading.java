package dev.weir.state.engine;

/** What the query thread does for one request, in steps, so that a long one stops no short one. */
interface Reading {
  /**
   * Takes one step. What it throws ends the reading by {@link #fail}.
   *
   * @return false if the reading is over, and its end is told
   */
  boolean run(Search.Memory memory);

  /** Tells that the reading has failed. */
  void fail(Throwable failure);
}
