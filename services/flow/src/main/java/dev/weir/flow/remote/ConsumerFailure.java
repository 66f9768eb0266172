package dev.weir.flow.remote;

/** A failure of a handler elsewhere, of which only the text is known; it looks like that one. */
final class ConsumerFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param text class and message of what the handler threw
   */
  ConsumerFailure(String text) {
    super(text, null, false, false);
  }

  @Override
  public String toString() {
    return getMessage();
  }
}
