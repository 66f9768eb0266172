package dev.weir.gateway.http;

import dev.weir.flow.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;

/**
 * One request and its one answer. Used on the event loop of its connection unless stated otherwise.
 */
public final class Exchange {
  /** A body of fewer bytes is not counted while it is written. */
  private static final int MIN_HELD_BYTES = 1 << 10;

  /** What a response has unless another status is set. */
  private static final int OK = 200;

  /** Null when the client is gone: a service may take its time, and the head is large. */
  private HttpServerRequest request;

  private final String path;
  private final Intake intake;
  private final String client;
  private final HeldBytes held;
  private final Context context = Contexts.current();
  private boolean entered;
  private boolean answered;
  private Runnable onAnswered;

  /**
   * @param path the normalized path of the request
   * @param client a name that no other client has; empty for a client that nobody identified
   * @param held null for a request that does not {@link #enter}, whose answer is small
   */
  public Exchange(
      HttpServerRequest request, String path, Intake intake, String client, HeldBytes held) {
    this.request = request;
    this.path = path;
    this.intake = intake;
    this.client = client;
    this.held = held;
  }

  /** The client's name, the same for all its requests; empty if the client is not identified. */
  public String client() {
    return client;
  }

  /** A key after the name of the client, to which it belongs; null without a key. */
  public String id(String key) {
    return key == null || client.isEmpty() ? key : client + ":" + key;
  }

  /** Null when the client is gone. */
  public HttpServerRequest request() {
    return request;
  }

  /** False if the gateway drains, and the client has been told, or if the client is gone. */
  public boolean enter() {
    if (!held.handling(() -> request = null)) {
      return false;
    }
    if (!intake.enter()) {
      held.handled();
      fail(Problem.of(ProblemType.CLOSED, "this gateway closes, another may be there"));
      return false;
    }
    entered = true;
    request.exceptionHandler(gone -> end());
    return true;
  }

  /**
   * Makes room for what the body becomes when it is decoded.
   *
   * @throws ProblemException 413 or 503
   */
  public void admitDecoded(long bytes) {
    if (held.grow(bytes)) {
      return;
    }
    throw held.canEverGrow(bytes)
        ? new ProblemException(ProblemType.OVERLOADED, "there is no room for the body")
        : new ProblemException(
            ProblemType.TOO_LARGE, "decoded, the body would need " + bytes + " bytes of memory");
  }

  public boolean isAnswered() {
    return answered;
  }

  /** Sets an action that runs when the request is answered or the client is gone. */
  public void onAnswered(Runnable action) {
    this.onAnswered = action;
  }

  public Answer answerOf(Problem problem) {
    return Answer.of(problem, path);
  }

  /** Logs the failure if it is an incident; called once for each failure. */
  public Answer answerOf(Throwable failure) {
    return answerOf(Failures.of(failure, path));
  }

  public void fail(Problem problem) {
    answer(answerOf(problem));
  }

  public void fail(Throwable failure) {
    answer(answerOf(failure));
  }

  /** Answers; any thread. */
  public void answerAnywhere(Answer answer) {
    if (Contexts.isOnThread(context)) {
      answer(answer);
    } else {
      context.runOnContext(ignored -> answer(answer));
    }
  }

  /** Answers, unless the request is already answered or the client is gone. */
  public void answer(Answer answer) {
    if (!end() || request == null || request.response().closed()) {
      return;
    }
    HttpServerResponse response = request.response();
    if (held != null && answer.body() != null && !held.cover(answer.body().length())) {
      write(
          response, answerOf(Problem.of(ProblemType.OVERLOADED, "there is no room for the reply")));
      return;
    }
    try {
      HeaderRules.out(answer.headers(), response);
    } catch (IllegalArgumentException e) {
      response.headers().clear();
      write(
          response,
          answerOf(Failures.of(ProblemType.HANDLER_FAILED, "the reply has a bad header", e, path)));
      return;
    }
    write(response, answer);
  }

  /** True the first time. */
  private boolean end() {
    boolean first = !answered;
    answered = true;
    if (first && onAnswered != null) {
      onAnswered.run();
    }
    if (first && entered) {
      held.handled();
      intake.leave();
    }
    return first;
  }

  private void write(HttpServerResponse response, Answer answer) {
    if (answer.status() != OK) {
      response.setStatusCode(answer.status());
    }
    if (answer.body() != null && !response.headers().contains(HttpHeaders.CONTENT_TYPE)) {
      response.headers().set(HttpHeaders.CONTENT_TYPE, answer.contentType());
    }
    if (answer.status() >= 400) {
      Refusal.end(request, answer.status(), answer.body(), intake.isClosed());
    } else if (answer.body() == null) {
      response.end();
    } else if (held == null || answer.body().length() < MIN_HELD_BYTES) {
      response.end(answer.body());
    } else {
      // A client that does not read leaves the reply here.
      held.holdOnly(answer.body().length());
      written(answer.body()).onComplete(done -> held.release());
    }
  }

  private Future<Void> written(Buffer body) {
    return request.version() == HttpVersion.HTTP_2
        ? ReplyPieces.write(request.response(), body)
        : request.response().end(body);
  }
}
