package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.DesyncCases.Case;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests over HTTP/2 that would be others if they were handed on over HTTP/1. */
class DesyncHttp2Test extends GatewayTestBase {
  private static final int STREAM = 1;
  private static final String POST =
      ":method: POST;;:scheme: http;;:path: /services/echo;;:authority: localhost";

  @Test
  void aRequestThatHttp1WouldReadInAnotherWayIsRefused() throws Exception {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    List<String> wrong = new ArrayList<>();
    for (Case each : DesyncCases.read("desync-http2.txt")) {
      String answer = answer(each.fields().get(0).replace("{POST}", POST), each.fields().get(1));
      if (!answer.equals(each.expected())) {
        wrong.add(each.name() + ": answered " + answer + ", expected " + each.expected());
      }
    }
    assertThat(wrong).isEmpty();
  }

  private String answer(String headers, String body) throws Exception {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (String header : headers.split(";;")) {
      int colon = header.indexOf(": ", 1);
      block.writeBytes(
          RawHttp2.header(
              DesyncCases.unescape(header.substring(0, colon)),
              DesyncCases.unescape(header.substring(colon + 2))));
    }
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      int end = body.isEmpty() ? RawHttp2.END_STREAM : 0;
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS | end, STREAM, block.toByteArray());
      if (!body.isEmpty()) {
        byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
        client.send(RawHttp2.DATA, RawHttp2.END_STREAM, STREAM, bytes);
      }
      return answer(client);
    }
  }

  private static String answer(RawHttp2 client) throws IOException, Http2Exception {
    for (RawHttp2.Frame frame = client.next(); frame != null; frame = client.next()) {
      if (frame.type() == RawHttp2.RST_STREAM && frame.stream() == STREAM) {
        return "reset";
      }
      if (frame.type() == RawHttp2.GOAWAY) {
        return "goaway";
      }
      if (frame.type() == RawHttp2.HEADERS && frame.stream() == STREAM) {
        return new DefaultHttp2HeadersDecoder()
            .decodeHeaders(STREAM, Unpooled.wrappedBuffer(frame.block()))
            .status()
            .toString();
      }
    }
    return "closed";
  }
}
