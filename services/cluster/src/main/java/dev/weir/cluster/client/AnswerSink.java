package dev.weir.cluster.client;

import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;

/** Receives the answers on one connection of a client. */
final class AnswerSink implements ClientFrames.Sink {
  /** No group has larger replies. */
  private static final int MAX_ANSWER_BYTES = ClientFrames.ANSWER_HEADER_BYTES + (4 << 20);

  private final ClientLink connection;
  private final Consumer<Buffer> answers;

  AnswerSink(ClientLink connection, Consumer<Buffer> answers) {
    this.connection = connection;
    this.answers = answers;
  }

  @Override
  public int minBytes() {
    return ClientFrames.ANSWER_HEADER_BYTES;
  }

  @Override
  public int maxBytes() {
    return MAX_ANSWER_BYTES;
  }

  @Override
  public void onFrame(Buffer frame) {
    answers.accept(frame);
  }

  @Override
  public void onInvalid(int bytes) {
    connection.close();
  }
}
