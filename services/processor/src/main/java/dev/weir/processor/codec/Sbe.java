package dev.weir.processor.codec;

import dev.weir.processor.sbe.CarDecoder;
import dev.weir.processor.sbe.CarEncoder;
import dev.weir.processor.sbe.MessageHeaderDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Operations on a car in Simple Binary Encoding that the generated flyweights lack. */
final class Sbe {
  private Sbe() {}

  /**
   * Wraps a car after checking its header; the generated decoder checks less.
   *
   * @throws IllegalArgumentException if the header is not that of a car of this schema
   */
  static void wrap(CarDecoder decoder, MessageHeaderDecoder header, DirectBuffer bytes) {
    header.wrap(bytes, 0);
    if (header.schemaId() != CarDecoder.SCHEMA_ID
        || header.version() != CarDecoder.SCHEMA_VERSION
        || header.blockLength() != CarDecoder.BLOCK_LENGTH) {
      throw new IllegalArgumentException(
          "the header is not that of a car of schema " + CarDecoder.SCHEMA_ID);
    }
    decoder.wrapAndApplyHeader(bytes, 0, header);
  }

  /** Sets all options at once; the generated encoder sets one bit at a time. */
  static void putOptions(CarEncoder encoder, int options) {
    int at = encoder.offset() + CarEncoder.optionsEncodingOffset();
    encoder.buffer().putShort(at, (short) options, ByteOrder.LITTLE_ENDIAN);
  }

  /** Sets all extras at once; the generated encoder sets one bit at a time. */
  static void putExtras(CarEncoder encoder, int extras) {
    encoder.buffer().putByte(encoder.offset() + CarEncoder.extrasEncodingOffset(), (byte) extras);
  }
}
