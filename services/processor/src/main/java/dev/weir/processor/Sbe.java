package dev.weir.processor;

import dev.weir.processor.sbe.CarDecoder;
import dev.weir.processor.sbe.CarEncoder;
import dev.weir.processor.sbe.MessageHeaderDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** What the generated flyweights do not do. */
final class Sbe {
  private Sbe() {}

  /**
   * Begins to read a car, after more checks than the decoder makes itself.
   *
   * @throws IllegalArgumentException if the header is not that of a car of this schema
   */
  static void wrap(CarDecoder decoder, MessageHeaderDecoder header, DirectBuffer bytes) {
    header.wrap(bytes, 0);
    if (header.schemaId() != CarDecoder.SCHEMA_ID
        || header.version() != CarDecoder.SCHEMA_VERSION
        || header.blockLength() != CarDecoder.BLOCK_LENGTH) {
      throw new IllegalArgumentException("this is no car of schema " + CarDecoder.SCHEMA_ID);
    }
    decoder.wrapAndApplyHeader(bytes, 0, header);
  }

  /** Sets all flags at once; the encoder takes them one by one. */
  static void putOptions(CarEncoder encoder, int options) {
    int at = encoder.offset() + CarEncoder.optionsEncodingOffset();
    encoder.buffer().putShort(at, (short) options, ByteOrder.LITTLE_ENDIAN);
  }

  /** Sets all flags at once; the encoder takes them one by one. */
  static void putExtras(CarEncoder encoder, int extras) {
    encoder.buffer().putByte(encoder.offset() + CarEncoder.extrasEncodingOffset(), (byte) extras);
  }
}
