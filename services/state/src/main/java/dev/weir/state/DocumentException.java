package dev.weir.state;

import dev.weir.options.Checks;

/** An operation on a document failed. Nothing was changed, except as the failure says. */
public final class DocumentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final DocumentFailure failure;

  /**
   * @param failure not null
   * @param message one line for the requester
   */
  public DocumentException(DocumentFailure failure, String message) {
    this(failure, message, null);
  }

  /**
   * @param failure not null
   * @param message one line for the requester
   * @param cause null if there is none
   */
  public DocumentException(DocumentFailure failure, String message, Throwable cause) {
    // It is an answer: nobody looks at its stack.
    super(message, cause, false, false);
    this.failure = Checks.notNull("failure", failure);
  }

  public DocumentFailure failure() {
    return failure;
  }
}
