package dev.weir.bench.eventbus.http;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Requests of HTTP/1.1. */
final class HttpExchange extends OutsideExchange {
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String LENGTH = "content-length: ";

  private final byte[] status;

  /** Where the answer ends; -1 before its head is complete. */
  private int end;

  HttpExchange(SocketChannel channel, byte[] request, int status) {
    super(channel, request);
    this.status = ("HTTP/1.1 " + status).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  void send() throws IOException {
    end = -1;
    super.send();
  }

  @Override
  boolean isComplete() {
    if (end < 0) {
      int headEnd = headEnd();
      end = headEnd < 0 ? -1 : headEnd + HEAD_END.length + contentLength(headEnd);
    }
    return end >= 0 && answer.position() >= end;
  }

  private int headEnd() {
    for (int at = 0; at <= answer.position() - HEAD_END.length; at++) {
      if (answer.get(at) == '\r' && answer.get(at + 2) == '\r') {
        return at;
      }
    }
    return -1;
  }

  private int contentLength(int headEnd) {
    for (int at = 0; at < headEnd; at++) {
      if (answer.get(at) == '\n' && isLengthAt(at + 1)) {
        int length = 0;
        for (int i = at + 1 + LENGTH.length(); answer.get(i) != '\r'; i++) {
          length = 10 * length + answer.get(i) - '0';
        }
        return length;
      }
    }
    return 0;
  }

  private boolean isLengthAt(int at) {
    for (int i = 0; i < LENGTH.length(); i++) {
      if (Character.toLowerCase((char) answer.get(at + i)) != LENGTH.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  String problem() {
    return has(0, status)
        ? null
        : new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
  }
}
