package dev.weir.gateway.websocket;

/**
 * The room of one stream of replies. The service may have a window of parts unacknowledged; a part
 * is acknowledged when the client has room for one more. So the service never sends more than the
 * client gave. Knows neither the bus nor the socket.
 */
final class StreamCredits {
  /** The most a client may have given and not used. */
  static final int MAX = 10_000;

  /** The widest window. */
  static final int MAX_WINDOW = 64;

  private final int window;
  private int held;
  private int spare;

  /**
   * @param credits what the client gives at first, 1 to {@value #MAX}
   */
  StreamCredits(int credits) {
    this.window = Math.min(credits, MAX_WINDOW);
    this.spare = credits - window;
  }

  /** How many parts the service may have unacknowledged. */
  int window() {
    return window;
  }

  /** A part has come; true if there is room for one more, false to acknowledge it later. */
  boolean arrived() {
    if (spare > 0) {
      spare--;
      return true;
    }
    held++;
    return false;
  }

  /**
   * The client gives more.
   *
   * @param credits 1 or more
   * @return how many held parts to acknowledge, the oldest first; -1 if it has given too much
   */
  int given(int credits) {
    int acknowledged = Math.min(held, credits);
    if ((long) spare + credits - acknowledged > MAX) {
      return -1;
    }
    held -= acknowledged;
    spare += credits - acknowledged;
    return acknowledged;
  }
}
