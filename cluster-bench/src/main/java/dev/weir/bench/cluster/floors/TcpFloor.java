package dev.weir.bench.cluster.floors;

import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.injection.EchoMessages;
import dev.weir.bench.cluster.injection.Injection;
import dev.weir.bench.cluster.injection.InjectionPlan;
import dev.weir.bench.cluster.injection.MessageLatencies;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.OpenLoop;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.record.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;

/** The floor of TCP: a round trip to a second process, both ends spinning or both blocking. */
final class TcpFloor {
  private static final String CASE = "tcp";
  private static final Duration START = Duration.ofSeconds(180);

  private final RunContext context;
  private final Floors floors;
  private final EchoMessages messages = new EchoMessages(FloorsScenario.BYTES);

  TcpFloor(RunContext context, Floors floors) {
    this.context = context;
    this.floors = floors;
  }

  void run() throws Exception {
    try (ChildJvm child = start(EchoMain.SPIN);
        SpinningTcp tcp = new SpinningTcp(address(child), FloorsScenario.BYTES)) {
      long paced = FloorsScenario.paced(context);
      spinning(tcp, InjectionPlan.paced(1, paced, FloorsScenario.RATE_PER_SEC), "paced");
      spinning(tcp, InjectionPlan.saturated(1, operations(), 1), "ping-pong");
    }
    try (ChildJvm child = start(EchoMain.BLOCK)) {
      try (BlockingTcp tcp = new BlockingTcp(address(child), messages)) {
        blockingPaced(tcp);
      }
      try (TcpPingPong tcp = new TcpPingPong(address(child), messages)) {
        blockingPingPong(tcp);
      }
    }
  }

  private long operations() {
    return context.scaled(20_000L, 50_000L);
  }

  private static ChildJvm start(String mode) throws IOException {
    return ChildJvm.start(ChildFlags.of(64), EchoMain.class, List.of(mode));
  }

  /** Where a child listens that prints {@link EchoMain#READY} and its port. */
  static InetSocketAddress address(ChildJvm child) throws IOException, InterruptedException {
    int port = Integer.parseInt(child.awaitLine(EchoMain.READY, START));
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private void spinning(SpinningTcp tcp, InjectionPlan plan, String load) throws Exception {
    MessageLatencies latencies = new MessageLatencies(0);
    measure(
        "spinning-" + load,
        latencies.recording(),
        () -> new Injection(plan, messages, latencies).run(tcp));
  }

  private void blockingPaced(BlockingTcp tcp) throws Exception {
    Recording recording = Recording.concurrent();
    long count = FloorsScenario.paced(context);
    Load load = Load.of(count).inOrder().recordingInto(recording);
    measure(
        "blocking-paced",
        recording,
        () -> new OpenLoop(tcp, load, FloorsScenario.RATE_PER_SEC).run());
  }

  private void blockingPingPong(TcpPingPong tcp) throws Exception {
    Recording recording = Recording.singleWriter();
    Load load = Load.of(operations()).inOrder().recordingInto(recording);
    measure("blocking-ping-pong", recording, () -> new ClosedLoop(tcp, load, 1).run(Runnable::run));
  }

  private void measure(String path, Recording recording, Rounds.Round round) throws Exception {
    context.report(
        floors.measure(context, CASE, path, recording, round).payloadBytes(FloorsScenario.BYTES));
  }

  /** A client of {@link EchoMain} whose caller writes a message and waits for the reply. */
  private static final class TcpPingPong implements Target, AutoCloseable {
    private final SocketChannel channel;
    private final EchoMessages messages;
    private final ByteBuffer buffer;

    TcpPingPong(InetSocketAddress address, EchoMessages messages) throws IOException {
      this.messages = messages;
      this.buffer = ByteBuffer.allocateDirect(messages.maxBytes());
      channel = SocketChannel.open(address);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public void send(long operation, long startTimeNs, ReplySink sink) {
      buffer.clear().limit(messages.encode(operation, buffer, 0));
      try {
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        buffer.clear();
        while (buffer.hasRemaining()) {
          if (channel.read(buffer) < 0) {
            throw new IOException("the other side has closed the connection");
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      boolean ok = messages.isReply(operation, buffer, 0, buffer.capacity());
      sink.onReply(operation, startTimeNs, ok ? Reply.OK : Reply.CORRUPT);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
