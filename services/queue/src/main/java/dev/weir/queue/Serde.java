package dev.weir.queue;

import java.nio.ByteBuffer;

/**
 * Converts messages to bytes and back. The store's threads call it, one call at a time for each
 * direction. Implementations are stateless or thread-safe, and do not block.
 *
 * @param <T> the message type
 */
public interface Serde<T> {

  /**
   * For messages that are byte arrays. An array is not copied; do not change it after the append.
   */
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

        @Override
        public boolean takesDirectBuffers() {
          return true;
        }
      };

  /**
   * Whether {@link #write} and {@link #read} take buffers without an accessible array, which saves
   * a copy of each large packet; by default false.
   */
  default boolean takesDirectBuffers() {
    return false;
  }

  /**
   * Returns the exact number of bytes that {@link #write} puts. Called on the appending thread.
   *
   * @param message not null
   */
  int sizeBytes(T message);

  /**
   * Writes exactly {@link #sizeBytes} bytes.
   *
   * @param message not null
   * @param out a buffer with an accessible array, unless {@link #takesDirectBuffers}
   */
  void write(T message, ByteBuffer out);

  /**
   * Reads one message. If this fails, the message becomes a dead letter with its bytes, and can be
   * requeued once it can be read; a message that is of no use after a restart is lost. A failure
   * that an {@link OutOfMemoryError} has caused says nothing about the message: it is read again.
   *
   * @param in the bytes of the message, in a buffer with an accessible array unless {@link
   *     #takesDirectBuffers}; must not be kept
   * @return not null
   */
  T read(ByteBuffer in);
}
