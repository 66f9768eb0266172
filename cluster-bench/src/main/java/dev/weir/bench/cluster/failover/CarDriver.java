package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.bench.cluster.steady.SteadyDriver;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.processor.CarCodec;
import dev.weir.processor.CarRequests;
import dev.weir.processor.Encoding;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A driver that sends cars to a group, and checks every byte of the replies. The group counts the
 * cars that it handles and replies with that count: a count below the number of the car shows that
 * cars were lost after their reply, a count above it that cars were handled twice.
 */
final class CarDriver extends SteadyDriver<Buffer> {
  private final ProcessorClient client;
  private final LongUnaryOperator odometers;
  private final CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
  private final ByteBuffer room = ByteBuffer.allocate(CarCodec.MAX_BYTES);
  private final CarRequests expected = new CarRequests(Encoding.SBE_DIRECT, false);

  /** For a group that counts all cars; starts to send at once, on a thread of its own. */
  CarDriver(Vertx vertx, List<MemberAddress> members, int ratePerSec) {
    this(vertx, members, ratePerSec, LongUnaryOperator.identity());
  }

  /**
   * @param odometers the count that the group replies to a car, by the number of the car
   */
  CarDriver(Vertx vertx, List<MemberAddress> members, int ratePerSec, LongUnaryOperator odometers) {
    super(ratePerSec);
    this.odometers = odometers;
    this.client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setMembers(members.stream().map(MemberAddress::clients).toList())
                .setWindow(WINDOW));
    begin();
  }

  @Override
  protected Future<Buffer> send(long number) {
    int bytes = requests.encode(number, room, 0);
    return client.send(Buffer.buffer(bytes).appendBytes(room.array(), 0, bytes));
  }

  @Override
  protected void check(Buffer body, long number) {
    ByteBuffer reply = ByteBuffer.wrap(body.getBytes());
    int bytes = reply.limit();
    long odometer = bytes < Long.BYTES ? 0 : expected.odometer(reply, 0);
    if (expected.isReply(reply, 0, bytes, number, odometer)) {
      counted(odometers.applyAsLong(number), odometer);
    } else {
      corrupt();
    }
  }

  @Override
  protected void release() {
    client.close();
  }
}
