package dev.weir.bench.eventbus.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

class WebSocketMessagesTest {

  @Test
  void readsTheTextItWrites() {
    String text = WebSocketMessages.text(17, "{\"a\":1}");

    assertThat(text).isEqualTo("{\"id\":17,\"body\":{\"a\":1}}");
    assertThat(WebSocketMessages.read(text))
        .isEqualTo(new WebSocketMessages.Frame(17, Buffer.buffer("{\"a\":1}")));
  }

  @Test
  void readsTheBytesItWrites() {
    Buffer bytes = WebSocketMessages.binary(17, Buffer.buffer("abc"));

    assertThat(bytes.toString()).isEqualTo("\0\t{\"id\":17}abc");
    assertThat(WebSocketMessages.read(bytes))
        .isEqualTo(new WebSocketMessages.Frame(17, Buffer.buffer("abc")));
  }

  @Test
  void aProblemIsOfNoRequest() {
    assertThat(WebSocketMessages.read("{\"id\":17,\"problem\":{}}").id()).isEqualTo(-1);
  }
}
