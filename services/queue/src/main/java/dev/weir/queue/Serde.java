package dev.weir.queue;

import java.nio.ByteBuffer;

/**
 * Turns messages into bytes and back. Called from the store's threads, one call at a time for each
 * direction; implementations are stateless or thread-safe and do not block.
 *
 * @param <T> the message type
 */
public interface Serde<T> {

  /** Messages that are bytes already. The arrays are not copied on append: do not change them. */
  Serde<byte[]> BYTES =
      new Serde<>() {
        @Override
        public int sizeBytes(byte[] message) {
          return message.length;
        }

        @Override
        public void write(byte[] message, ByteBuffer out) {
          out.put(message);
        }

        @Override
        public byte[] read(ByteBuffer in) {
          byte[] message = new byte[in.remaining()];
          in.get(message);
          return message;
        }
      };

  /**
   * The exact number of bytes {@link #write} will put. Called on the appending thread.
   *
   * @param message not null
   */
  int sizeBytes(T message);

  /**
   * Writes exactly {@link #sizeBytes} bytes.
   *
   * @param message not null
   * @param out a buffer with an accessible array
   */
  void write(T message, ByteBuffer out);

  /**
   * Reads one message.
   *
   * @param in holds just the message's bytes; must not be kept
   * @return not null
   */
  T read(ByteBuffer in);
}
