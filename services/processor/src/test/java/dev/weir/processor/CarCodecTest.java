package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.processor.car.Digest;
import dev.weir.processor.car.SampleCars;
import dev.weir.processor.codec.CarFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CarCodecTest {
  private static final int CARS = 3 * SampleCars.VARIANTS;

  @ParameterizedTest
  @CsvSource({
    "SBE_DIRECT,false",
    "SBE_DIRECT,true",
    "SBE_INDIRECT,false",
    "SBE_INDIRECT,true",
    "PROTOBUF_SERIAL,false",
    "PROTOBUF_SERIAL,true",
    "PROTOBUF_RANDOM,false",
    "PROTOBUF_RANDOM,true"
  })
  void repliesWithTheSameCarTurnedOver(Encoding encoding, boolean empty) {
    CarRequests requests = new CarRequests(encoding, empty);
    CarCodec codec = encoding.newCodec();
    for (Exchange exchange : new Exchange[] {Exchange.direct(), Exchange.onHeap()}) {
      for (long n = 1; n <= CARS; n++) {
        assertThat(exchange.request(requests, n).read(codec)).isTrue();
        assertThat(codec.serialNumber()).isEqualTo(n);
        exchange.reply(codec, 7 * n);

        assertThat(exchange.isReply(requests, 7 * n)).as("reply to %d", n).isTrue();
        assertThat(exchange.isReply(requests, 7 * n + 1)).isFalse();
        assertThat(exchange.odometer(requests)).isEqualTo(7 * n);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFullCarHasAboutTwoHundredBytes(Encoding encoding) {
    assertThat(new CarRequests(encoding, false).maxRequestBytes()).isBetween(180, 220);
  }

  @ParameterizedTest
  @EnumSource
  void refusesACarThatIsCutOff(Encoding encoding) {
    CarRequests requests = new CarRequests(encoding, false);
    CarCodec codec = encoding.newCodec();
    Exchange exchange = Exchange.direct().request(requests, 1);
    for (int bytes = exchange.length() - 1; bytes >= 0; bytes--) {
      assertThat(exchange.request(bytes).read(codec)).as("%d bytes", bytes).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesACarWithAnyOtherByteInIt(Encoding encoding) {
    CarRequests requests = new CarRequests(encoding, false);
    CarFormat format = encoding.newFormat();
    CarCodec codec = encoding.newCodec();
    Exchange exchange = Exchange.direct().request(requests, 5);
    // Not the odometer and the byte before, its tag in some encodings: in a request it says
    // nothing.
    for (int at = 0; at < exchange.length(); at++) {
      boolean number = at >= format.serialNumberAt() && at < format.serialNumberAt() + Long.BYTES;
      boolean odometer = at >= format.odometerAt() - 1 && at < format.odometerAt() + Long.BYTES;
      if (!number && !odometer) {
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          assertThat(exchange.flip(at, 1 << bit).read(codec)).as("bit %d of %d", bit, at).isFalse();
          exchange.flip(at, 1 << bit);
        }
      }
    }
    assertThat(exchange.read(codec)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void findsTheSameDigestInEveryEncoding(Encoding encoding) {
    CarCodec codec = encoding.newCodec();
    CarRequests requests = new CarRequests(encoding, false);

    Exchange.direct().request(requests, 9).read(codec);

    assertThat(codec.digest()).isEqualTo(Digest.of(SampleCars.full(9)));
  }
}
