package dev.weir.bench.cluster.floors;

import dev.weir.bench.Preheat;
import dev.weir.bench.RunContext;
import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.injection.EchoMessages;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.OpenLoop;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The floor of a client outside of a group: the way of a message from the client to a primary, its
 * backup and back, written to a file on both, without Weir. Two processes, until it is closed.
 */
public final class RelayFloor implements AutoCloseable {
  private static final int HEAP_MIB = 64;
  private static final int PREHEAT_PASSES = 10;
  private static final List<String> FLAGS = ChildFlags.of(HEAP_MIB);

  /** Of a pass in which nothing is sent: load leaves the compilers no CPU. */
  private static final long PREHEAT_REST_MS = 500;

  private static final long ANSWER_S = 60;

  /** What its client and its primary wait with. */
  public enum Kind {
    BLOCKING("tcp blocking", RelayMain.class, BlockingTcp::new),
    VERTX("tcp vertx", VertxRelayMain.class, VertxTcp::new);

    private final String path;
    private final Class<?> primary;
    private final Opener client;

    Kind(String path, Class<?> primary, Opener client) {
      this.path = path;
      this.primary = primary;
      this.client = client;
    }
  }

  private interface Opener {
    RelayClient open(InetSocketAddress address, EchoMessages messages) throws IOException;
  }

  private final Kind kind;
  private final Path directory;
  private final Recording latencies = Recording.concurrent();
  private final BlockingQueue<Long> compiledMs = new LinkedBlockingQueue<>();
  private final List<ChildJvm> children = new ArrayList<>();

  /** Null until both processes listen. */
  private RelayClient client;

  private RelayFloor(Kind kind, Path directory) {
    this.kind = kind;
    this.directory = directory;
  }

  private void connect() throws IOException, InterruptedException {
    ChildJvm backup = start(RelayMain.class, "backup");
    int backupPort = TcpFloor.address(backup).getPort();
    ChildJvm primary = start(kind.primary, "primary", Integer.toString(backupPort));
    client = kind.client.open(TcpFloor.address(primary), new EchoMessages(FloorsScenario.BYTES));
  }

  /**
   * Starts both processes, and has them work until the compilers of all three are idle.
   *
   * @param count messages of a pass
   * @param window most messages of a closed loop without a reply
   */
  public static RelayFloor start(
      RunContext context, Kind kind, long count, int window, int ratePerSec) throws Exception {
    Path directory =
        context.outputDir().resolve("data-relay-" + kind.name().toLowerCase(Locale.ROOT));
    Files.createDirectories(directory);
    RelayFloor relay = new RelayFloor(kind, directory);
    try {
      relay.connect();
      context.preheat(
          PREHEAT_PASSES,
          relay::compiledMs,
          () -> {
            relay.saturated(count, window);
            relay.paced(Math.min(count, ratePerSec / 2), ratePerSec);
            Thread.sleep(PREHEAT_REST_MS);
          });
    } catch (Exception e) {
      relay.close();
      throw e;
    }
    return relay;
  }

  private ChildJvm start(Class<?> main, String file, String... ports) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(directory.resolve(file).toString()));
    arguments.addAll(List.of(ports));
    ChildJvm child =
        ChildJvm.start(
            List.of(),
            FLAGS,
            main,
            arguments,
            line -> RelayMain.compiledMs(line).ifPresent(compiledMs::add));
    children.add(child);
    return child;
  }

  /** How long the compilers of all three processes have worked. */
  private long compiledMs() {
    long sumMs = Preheat.compiledMs();
    try {
      for (ChildJvm child : children) {
        child.say("compiled?");
        Long answer = compiledMs.poll(ANSWER_S, TimeUnit.SECONDS);
        if (answer == null) {
          throw new IOException("a process of the relay does not say how long it has compiled");
        }
        sumMs += answer;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return sumMs;
  }

  /** Response times of {@link #paced} rounds, from the intended time. */
  public Recording latencies() {
    return latencies;
  }

  /** A closed loop. It begins on the calling thread, and goes on on the one that reads replies. */
  public RoundResult saturated(long count, int window) throws InterruptedException {
    Locked locked = new Locked(client);
    return new ClosedLoop(locked, Load.of(count).inOrder(), ClosedLoop.inFlight(window, count))
        .run(locked);
  }

  /** An open loop. */
  public RoundResult paced(long count, int ratePerSec) throws InterruptedException {
    Load load = Load.of(count).inOrder().recordingInto(latencies);
    return new OpenLoop(client, load, ratePerSec).run();
  }

  /** Adds to a row what is the same for all rows of the floor. */
  public Row addTo(Row row) {
    return row.path(kind.path)
        .payloadBytes(FloorsScenario.BYTES)
        .flush("os")
        .extra("processes", 3)
        .extra("childFlags", FLAGS);
  }

  /** Lets one thread at a time into a closed loop. */
  private static final class Locked implements Target, ReplySink, Executor {
    private final Target target;
    private ReplySink loop;

    Locked(Target target) {
      this.target = target;
    }

    @Override
    public synchronized void execute(Runnable task) {
      task.run();
    }

    @Override
    public void send(long operation, long startTimeNs, ReplySink sink) {
      loop = sink;
      target.send(operation, startTimeNs, this);
    }

    @Override
    public synchronized void onReply(long operation, long startTimeNs, Reply reply) {
      loop.onReply(operation, startTimeNs, reply);
    }

    @Override
    public synchronized void onFailure(long operation, long startTimeNs, Throwable cause) {
      loop.onFailure(operation, startTimeNs, cause);
    }
  }

  /** Ends both processes, and removes their files. */
  @Override
  public void close() throws IOException {
    try {
      if (client != null) {
        client.close();
      }
    } finally {
      children.forEach(ChildJvm::close);
      Directories.delete(directory);
    }
  }
}
