package dev.weir.bench.cluster.injection;

import dev.weir.processor.CarCodec;
import dev.weir.processor.CarRequests;
import dev.weir.processor.Encoding;
import java.nio.ByteBuffer;
import java.util.function.LongUnaryOperator;

/** Messages that are cars. Every byte of a reply is checked. */
public final class CarMessages implements Messages {
  private final CarRequests requests;
  private final LongUnaryOperator odometer;

  /**
   * Cars in this encoding.
   *
   * @param odometer the odometer that the reply to the message with a number must have
   */
  public CarMessages(Encoding encoding, boolean empty, LongUnaryOperator odometer) {
    this.requests = new CarRequests(encoding, empty);
    this.odometer = odometer;
  }

  @Override
  public int maxBytes() {
    return CarCodec.MAX_BYTES;
  }

  @Override
  public int encode(long number, ByteBuffer buffer, int offset) {
    return requests.encode(number, buffer, offset);
  }

  @Override
  public boolean isReply(long number, ByteBuffer buffer, int offset, int length) {
    return requests.isReply(buffer, offset, length, number, odometer.applyAsLong(number));
  }
}
