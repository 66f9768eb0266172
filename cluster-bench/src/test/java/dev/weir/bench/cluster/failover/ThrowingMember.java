package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.child.JvmDefaults;
import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.RejectedMessageException;
import dev.weir.cluster.Replication;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import dev.weir.cluster.State;
import dev.weir.cluster.StateReplicatedProcessor;
import dev.weir.processor.CarCodec;
import dev.weir.processor.CarProcessor;
import dev.weir.processor.CarRequests;
import dev.weir.processor.CarStateProcessor;
import dev.weir.processor.Encoding;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A member whose handler of cars throws at some messages, as a process of its own. */
final class ThrowingMember {
  private static final long MARK = 0x0BAD_CA12_0BAD_CA12L;
  private static final int CAR = Long.BYTES + 1;

  /** When and what the handler throws. */
  enum Fault {
    /** Before it changes anything. */
    REFUSES,
    /** After it has counted the car. */
    THROWS,
    /** The same with an error of the JVM. */
    OVERFLOWS
  }

  private ThrowingMember() {}

  /** A message with a car at which the handler throws. */
  static Buffer message(Fault fault, long serialNumber) {
    ByteBuffer room = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    int bytes = new CarRequests(Encoding.SBE_DIRECT, false).encode(serialNumber, room, 0);
    return Buffer.buffer()
        .appendLong(MARK)
        .appendByte((byte) fault.ordinal())
        .appendBytes(room.array(), 0, bytes);
  }

  /** Takes the arguments of {@code processor run}, as far as a cluster of processes gives them. */
  public static void main(String[] args) throws Exception {
    JvmDefaults.apply();
    ParentWatch.start();
    Map<String, String> given =
        Arrays.stream(args)
            .filter(arg -> arg.startsWith("--"))
            .map(arg -> arg.substring(2).split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    Vertx vertx = Vertx.vertx();
    ClientEndpoint clients = new ClientEndpoint(vertx);
    ClusterNode node = ClusterNode.start(node(given));
    GroupBuilder builder = node.group(group(given));
    ProcessorGroup group =
        (Kind.valueOf(given.get("kind")) == Kind.ES
                ? builder.processor(new Counting())
                : builder.processor(new Changing()))
            .replies(new Roles(given.get("name"), clients.replies(given.get("group"))))
            .start();
    clients.serve(group);
    clients.listen(given.get("host"), Integer.parseInt(given.get("client-port"))).await();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  node.close();
                  Runtime.getRuntime().halt(0);
                }));
    Thread.currentThread().join();
  }

  private static NodeOptions node(Map<String, String> given) {
    return new NodeOptions()
        .setMemberName(given.get("name"))
        .setHost(given.get("host"))
        .setPort(Integer.parseInt(given.get("port")))
        .setReplicationPort(Integer.parseInt(given.get("replication-port")))
        .setJoin(List.of(given.get("join").split(",")))
        .setDirectory(Path.of(given.get("data")));
  }

  private static GroupOptions group(Map<String, String> given) {
    return new GroupOptions()
        .setName(given.get("group"))
        .setMembers(List.of(given.get("members").split(",")))
        .setReplication(Replication.valueOf(given.get("replication").toUpperCase(Locale.ROOT)))
        .setAckLevel(AckLevel.PERSISTED);
  }

  /** Prints roles as {@code processor run} does. */
  private record Roles(String member, ReplySink clients) implements ReplySink {
    @Override
    public void onReply(long client, long sequence, ByteBuffer buffer, int offset, int length) {
      clients.onReply(client, sequence, buffer, offset, length);
    }

    @Override
    public void onRejected(long client, long sequence, ByteBuffer buffer, int offset, int length) {
      clients.onRejected(client, sequence, buffer, offset, length);
    }

    @Override
    public void onRole(Role role, long epoch) {
      String name = role.name().toLowerCase(Locale.ROOT);
      System.out.println(member + " processor: " + name + ", epoch " + epoch);
      clients.onRole(role, epoch);
    }
  }

  private static boolean isBad(Inbound message) {
    return message.length() > CAR && message.buffer().getLong(message.offset()) == MARK;
  }

  private static void fail(Inbound message, Consumer<Inbound> change) {
    Fault fault = Fault.values()[message.buffer().get(message.offset() + Long.BYTES)];
    if (fault == Fault.REFUSES) {
      throw new RejectedMessageException("asked to refuse");
    }
    change.accept(new CarIn(message));
    if (fault == Fault.OVERFLOWS) {
      throw new StackOverflowError("asked to overflow");
    }
    throw new IllegalStateException("asked to throw");
  }

  /** The car in a message at which the handler throws. */
  private record CarIn(Inbound bad) implements Inbound {
    @Override
    public long clientId() {
      return bad.clientId();
    }

    @Override
    public long sequence() {
      return bad.sequence();
    }

    @Override
    public long timestampMs() {
      return bad.timestampMs();
    }

    @Override
    public ByteBuffer buffer() {
      return bad.buffer();
    }

    @Override
    public int offset() {
      return bad.offset() + CAR;
    }

    @Override
    public int length() {
      return bad.length() - CAR;
    }
  }

  private static final class Counting implements EventSourcedProcessor {
    private final CarProcessor cars = new CarProcessor(Encoding.SBE_DIRECT);

    @Override
    public void onMessage(Inbound message, Outbound out) {
      if (isBad(message)) {
        fail(message, car -> cars.onMessage(car, out));
      }
      cars.onMessage(message, out);
    }

    @Override
    public void save(DataOutput out) throws IOException {
      cars.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
      cars.restore(in);
    }
  }

  private static final class Changing implements StateReplicatedProcessor {
    private final CarStateProcessor cars =
        new CarStateProcessor(Encoding.SBE_DIRECT, CarStateProcessor.DEFAULT_OBJECTS);

    @Override
    public void onMessage(Inbound message, State state, Outbound out) {
      if (isBad(message)) {
        fail(message, car -> cars.onMessage(car, state, out));
      }
      cars.onMessage(message, state, out);
    }
  }
}
