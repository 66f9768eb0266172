package dev.weir.queue.line;

import dev.weir.queue.MessageOptions;

/** Sizes in bytes of the parts of a record on disk, as the budgets of a queue count them. */
public final class RecordSizes {
  /** The header of a packet. */
  public static final int PACKET_HEADER_BYTES = 28;

  /** The header of each message in a packet. */
  public static final int MESSAGE_HEADER_BYTES = 6;

  /** The longest reason of a failed attempt; a longer one is cut. */
  public static final int MAX_REASON_CHARS = 2000;

  private RecordSizes() {}

  /**
   * Upper bound for the options of one message.
   *
   * @param options null for none
   */
  public static int optionsBytes(MessageOptions options) {
    if (options == null) {
      return 0;
    }
    return textBytes(options.id())
        + textBytes(options.key())
        + (options.expiresAtMs() == 0 ? 0 : Long.BYTES)
        + (options.notBeforeMs() == 0 ? 0 : Long.BYTES);
  }

  /**
   * Upper bound for a text with its length.
   *
   * @param text null for none
   */
  public static int textBytes(String text) {
    // A char takes three bytes at most.
    return text == null ? 0 : Short.BYTES + 3 * text.length();
  }
}
