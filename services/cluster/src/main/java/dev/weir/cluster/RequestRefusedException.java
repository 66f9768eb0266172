package dev.weir.cluster;

import dev.weir.options.Checks;

/** The failure of a request of a {@link ProcessorClient} that the group refused. */
public final class RequestRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final OfferResult result;

  public RequestRefusedException(OfferResult result, String message) {
    super(message, null, false, false);
    this.result = Checks.notNull("result", result);
  }

  /** Why the group refused the request; never null. */
  public OfferResult result() {
    return result;
  }
}
