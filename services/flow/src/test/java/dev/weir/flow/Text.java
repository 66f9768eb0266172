package dev.weir.flow;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** An immutable body. */
record Text(String value) {

  static class Codec extends ImmutableCodec<Text> {
    @Override
    public String name() {
      return "test.text";
    }

    @Override
    public int sizeBytes(Text body) {
      return body.value().getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public void write(Text body, ByteBuffer out) {
      out.put(body.value().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Text read(ByteBuffer in) {
      return new Text(StandardCharsets.UTF_8.decode(in).toString());
    }
  }

  /** Encodes a text, and fails to decode it. */
  static final class WriteOnlyCodec extends Codec {
    @Override
    public Text read(ByteBuffer in) {
      throw new StackOverflowError("on purpose");
    }
  }
}
