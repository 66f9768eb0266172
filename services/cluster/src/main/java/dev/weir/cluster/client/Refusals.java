package dev.weir.cluster.client;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RequestRefusedException;
import dev.weir.cluster.RequestTimeoutException;
import java.util.List;

/** Fails requests that the group refused, with a text for people. */
final class Refusals {
  private Refusals() {}

  /**
   * Fails one request.
   *
   * @param reason the handler's; empty unless the result is REJECTED
   */
  static void fail(
      RequestWindow.Request request, OfferResult result, long clientId, String reason) {
    String text =
        switch (result) {
          case GAP -> ", the group does not know the requests of client " + clientId + " before it";
          case REJECTED -> ", " + reason;
          case SESSION_EXPIRED -> ", the group has forgotten client " + clientId;
          case TOO_MANY_CLIENTS -> ", the group has as many clients as it allows";
          default -> "";
        };
    request
        .reply()
        .tryFail(
            new RequestRefusedException(
                result, "request " + request.sequence() + " was refused: " + result + text));
  }

  /** Fails a request that is not sent again, because the group may not know that it handled it. */
  static void fail(RequestWindow.Request request, OfferResult result) {
    String text = "the group may have handled the request, and forgotten its client since";
    request.reply().tryFail(new RequestRefusedException(result, text));
  }

  /**
   * Fails a request that got no reply in time.
   *
   * @param last why the group took no request at last; null if it took some
   */
  static void giveUp(RequestWindow.Request request, boolean mayBeApplied, OfferResult last) {
    String text =
        mayBeApplied
            ? "no reply in time; the group may have handled the request, or may handle it yet"
            : "the group took no request in time"
                + (last == OfferResult.UNAVAILABLE
                    ? ": too few members are in sync"
                    : ": no primary was reached");
    request.reply().tryFail(new RequestTimeoutException(text, mayBeApplied, last));
  }

  /** Fails requests of a client that the group does not know any more, or does not take. */
  static void failAll(List<RequestWindow.Request> requests, OfferResult result, long clientId) {
    String text =
        result == OfferResult.TOO_MANY_CLIENTS
            ? "the group has as many clients as it allows"
            : "the group has forgotten client " + clientId + ", and may have handled the request";
    requests.forEach(request -> request.reply().tryFail(new RequestRefusedException(result, text)));
  }
}
