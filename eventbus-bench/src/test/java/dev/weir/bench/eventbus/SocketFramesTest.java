package dev.weir.bench.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

class SocketFramesTest {

  @Test
  void readsTheTextItWrites() {
    String text = SocketFrames.text(17, "{\"a\":1}");

    assertThat(text).isEqualTo("{\"id\":17,\"body\":{\"a\":1}}");
    assertThat(SocketFrames.read(text))
        .isEqualTo(new SocketFrames.Frame(17, Buffer.buffer("{\"a\":1}")));
  }

  @Test
  void readsTheBytesItWrites() {
    Buffer bytes = SocketFrames.binary(17, Buffer.buffer("abc"));

    assertThat(bytes.toString()).isEqualTo("\0\t{\"id\":17}abc");
    assertThat(SocketFrames.read(bytes))
        .isEqualTo(new SocketFrames.Frame(17, Buffer.buffer("abc")));
  }

  @Test
  void aProblemIsOfNoRequest() {
    assertThat(SocketFrames.read("{\"id\":17,\"problem\":{}}").id()).isEqualTo(-1);
  }
}
