package dev.weir.testing;

/**
 * Throws checked exceptions that no method declares, as code in another language does, and code
 * with generated methods.
 */
public final class Undeclared {
  private Undeclared() {}

  /** Throws a failure, whatever it is; returns nothing, so that a lambda may end with the call. */
  public static <T> T raise(Throwable failure) {
    return Undeclared.<T, RuntimeException>raiseAs(failure);
  }

  @SuppressWarnings("unchecked")
  private static <T, X extends Throwable> T raiseAs(Throwable failure) throws X {
    throw (X) failure;
  }
}
