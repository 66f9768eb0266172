package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.ArrivalCheck;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.fixture.Workload;
import dev.weir.bench.eventbus.http.HttpConnections.HttpEndpoint;
import dev.weir.bench.eventbus.http.LoopCpuTime.RequestCpu;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;

/** Requests over HTTP; the answer is the body itself or the JSON value true. */
final class HttpWorkload extends Workload implements AutoCloseable {
  private static final Buffer TRUE = Buffer.buffer("true");

  private final HttpFixture fixture;
  private final HttpCase httpCase;
  private final HttpConnections wire;
  private final HttpReceiver receiver;
  private long operations;
  private long clientCpuNs;
  private long serverCpuNs;

  /** Starts the receiving end, and connects where that is not left to the requests. */
  HttpWorkload(HttpFixture fixture, HttpPath path, HttpCase httpCase) throws InterruptedException {
    super(fixture.client(), httpCase.body().bodies(httpCase.bytes()));
    this.fixture = fixture;
    this.httpCase = httpCase;
    String address = httpCase.label() + "-" + httpCase.body() + "-" + httpCase.bytes();
    this.receiver =
        HttpReceiver.open(fixture, path, httpCase, address, Object.class, this::arrived);
    receivedBy(receiver.service());
    HttpEndpoint target =
        new HttpEndpoint(
            SocketAddress.inetSocketAddress(receiver.port(), HttpFixture.HOST),
            httpCase.protocol().path(address),
            httpCase.body());
    this.wire =
        ServiceFixture.await(
            ServiceFixture.call(
                fixture.client(),
                () ->
                    httpCase
                        .protocol()
                        .connect(fixture.fixture().vertx(), target, httpCase.inFlight())));
  }

  /** Many connections keep no order among each other. */
  @Override
  protected ArrivalCheck newArrivalCheck(long expected) {
    return ArrivalCheck.unordered(bodies, expected);
  }

  @Override
  public void send(long operation, long startTimeNs, ReplySink sink) {
    Object body = bodies.take(operation);
    wire.exchange((Buffer) body)
        .onComplete(
            (answer, failure) -> {
              if (failure != null) {
                sink.onFailure(operation, startTimeNs, failure);
              } else {
                bodies.giveBack(body);
                sink.onReply(operation, startTimeNs, check(operation, answer));
              }
            });
  }

  private Reply check(long operation, Buffer answer) {
    boolean good = httpCase.twoWay() ? bodies.matches(operation, answer) : TRUE.equals(answer);
    return good ? Reply.OK : Reply.CORRUPT;
  }

  /** A closed round; the CPU time of both event loops is added up. */
  RoundResult meteredRound(long count) throws InterruptedException {
    long clientNs = fixture.clientCpu().timeNs();
    long serverNs = fixture.serverCpu().timeNs();
    RoundResult result = closedRound(count, ClosedLoop.inFlight(httpCase.inFlight(), count));
    clientCpuNs += fixture.clientCpu().timeNs() - clientNs;
    serverCpuNs += fixture.serverCpu().timeNs() - serverNs;
    operations += count;
    return result;
  }

  /** Forgets the CPU time of the rounds so far. */
  void warm() {
    clientCpuNs = 0;
    serverCpuNs = 0;
    operations = 0;
  }

  /** The CPU time of the rounds since {@link #warm}. */
  RequestCpu share() {
    return RequestCpu.of(clientCpuNs, serverCpuNs, operations);
  }

  /** Closes both ends, blocking the caller. */
  @Override
  public void close() {
    try {
      ServiceFixture.await(wire.close());
      receiver.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
