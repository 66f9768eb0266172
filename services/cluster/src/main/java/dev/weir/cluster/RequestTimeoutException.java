package dev.weir.cluster;

/** The failure of a request of a {@link ProcessorClient} that got no reply in time. */
public final class RequestTimeoutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean mayBeApplied;
  private final OfferResult lastResult;

  /**
   * @param lastResult may be null
   */
  public RequestTimeoutException(String message, boolean mayBeApplied, OfferResult lastResult) {
    super(message, null, false, false);
    this.mayBeApplied = mayBeApplied;
    this.lastResult = lastResult;
  }

  /**
   * Whether the group may have taken the request, or take it yet. False if no member that could
   * take it ever got it.
   */
  public boolean mayBeApplied() {
    return mayBeApplied;
  }

  /**
   * Why the group takes no requests: {@link OfferResult#NOT_PRIMARY} if no primary was reached,
   * {@link OfferResult#UNAVAILABLE} if too few members are in sync with it; null if it did take
   * some.
   */
  public OfferResult lastResult() {
    return lastResult;
  }
}
