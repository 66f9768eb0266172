package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.queue.DamagedPacket;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageVisitor;
import dev.weir.queue.QueueAppender;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.StoredMessage;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.Undeclared;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Durable messages whose codec is not there, or fails, after a restart. */
class UndecodableMessageTest extends FlowTestBase {
  private static final int MESSAGES = 10;

  private final List<Object> texts =
      IntStream.range(0, MESSAGES).mapToObj(i -> (Object) new Text("text " + i)).toList();

  private void restart() {
    closeAll();
    weirsAreClosed();
    vertx = Vertx.vertx();
  }

  private void sendAndStop() {
    Weir weir = weir().registerCodec(Text.class, new Text.Codec());
    Service service =
        serve(weir, "texts", new ServiceOptions(), message -> Future.succeededFuture());
    Futures.result("pause", service.pause());
    for (Object text : texts) {
      Futures.result("send", weir.send("texts", text, Durability.PROCESS));
    }
    restart();
  }

  private void assertDeadLetters(Service service, String reason) {
    Await.until(
        () -> "all are dead letters: " + service.stats(),
        () -> service.stats().deadLetters() == MESSAGES);
    List<Letter> letters = Futures.result("list", service.deadLetters().list(0, MESSAGES));
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(letters.get(i).body()).isEqualTo(Buffer.buffer("text " + i));
      assertThat(letters.get(i).reason()).contains("codec test.text", reason);
    }
  }

  private void assertAllHandledOnceRequeued(Weir weir, String address, Gate gate) {
    Service service = serve(weir, address, new ServiceOptions(), gate::handle);
    assertThat(Futures.result("requeue", service.deadLetters().requeueAll())).isEqualTo(MESSAGES);
    Await.until("all are handled", () -> gate.held.size() == MESSAGES);
    assertThat(gate.bodies).containsExactlyInAnyOrderElementsOf(texts);
    gate.openAll();
  }

  @Test
  void messagesWhoseCodecIsNotRegisteredAreKeptUntilItIs() {
    sendAndStop();
    for (int run = 0; run < 2; run++) {
      Gate gate = new Gate();
      Service service = serve(weir(), "texts", new ServiceOptions(), gate::handle);
      assertDeadLetters(service, "register it");
      assertThat(gate.bodies).isEmpty();
      assertThat(service.stats().failed()).isEqualTo(run == 0 ? MESSAGES : 0);
      restart();
    }
    Gate gate = new Gate();
    assertAllHandledOnceRequeued(weir().registerCodec(Text.class, new Text.Codec()), "texts", gate);
  }

  /** What export and import do, without the lines of JSON between. */
  private void copyDeadLetters(Path to) {
    try (QueueDirectory from = QueueDirectory.open(directory);
        QueueMaintenance target = QueueMaintenance.create(to)) {
      QueueAppender appender = target.appender("texts");
      from.readDead(
          "texts",
          new MessageVisitor() {
            @Override
            public boolean message(StoredMessage message) {
              appender.add(message);
              return true;
            }

            @Override
            public void damaged(DamagedPacket packet) {
              throw new AssertionError(packet);
            }
          });
      appender.commit();
    }
  }

  @Test
  void messagesWhoseCodecIsNotRegisteredSurviveExportImportAndAMoveToAnotherQueue(
      @TempDir Path elsewhere) {
    sendAndStop();
    assertDeadLetters(
        serve(weir(), "texts", new ServiceOptions(), new Gate()::handle), "register it");
    restart();
    Path data = elsewhere.resolve("data");
    copyDeadLetters(data);

    WeirOptions imported = new WeirOptions().setDirectory(data.toString());
    Weir first = weir(imported);
    serve(first, "others", new ServiceOptions(), new Gate()::handle);
    assertDeadLetters(
        serve(first, "texts", new ServiceOptions(), new Gate()::handle), "register it");
    restart();
    try (QueueMaintenance moving = QueueMaintenance.open(data)) {
      assertThat(moving.move("texts", message -> true, "others", 0)).isEqualTo(MESSAGES);
    }

    // They cannot be decoded there either, and come back once they can.
    assertDeadLetters(
        serve(weir(imported), "others", new ServiceOptions(), new Gate()::handle), "register it");
    restart();
    Weir weir = weir(imported).registerCodec(Text.class, new Text.Codec());
    assertAllHandledOnceRequeued(weir, "others", new Gate());
  }

  /**
   * As another program may have left them in a queue of this name, or an operator imported them.
   */
  private void writeForeign(List<byte[]> bodies) {
    try (QueueMaintenance target = QueueMaintenance.create(directory)) {
      QueueAppender appender = target.appender("texts");
      for (byte[] body : bodies) {
        appender.add(
            new StoredMessage(
                "texts",
                StoredMessage.State.WAITING,
                0,
                0,
                false,
                null,
                body,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0));
      }
      appender.commit();
    }
  }

  @Test
  void bytesThatNoServiceHasWrittenAreDeadLettersAndTheServiceGoesOn() {
    // Where a service writes the length of the headers, these name more than a heap can have.
    byte[] text = "a text, as anybody writes it, of no service".getBytes(StandardCharsets.US_ASCII);
    byte[] zeros = new byte[100];
    byte[] cutHeaders = ByteBuffer.allocate(100).putLong(1).putInt(10).putShort((short) 3).array();
    byte[] longHeader =
        ByteBuffer.allocate(100)
            .putLong(1)
            .putInt(10)
            .putShort((short) 1)
            .putInt(Integer.MAX_VALUE)
            .array();
    byte[] longName = ByteBuffer.allocate(17).putLong(1).putInt(2).array();
    longName[14] = -1;
    longName[15] = -1;
    List<byte[]> foreign =
        List.of(text, zeros, cutHeaders, longHeader, longName, new byte[0], new byte[5]);
    writeForeign(foreign);
    List<Object> handled = new CopyOnWriteArrayList<>();
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "texts",
            new ServiceOptions().setWorkers(1).setMaxAttempts(1),
            message -> {
              handled.add(message.body());
              return message.body() instanceof String
                  ? Future.succeededFuture()
                  : Future.failedFuture("no text");
            });
    Futures.result("send", weir.send("texts", "a text of a service", Durability.PROCESS));

    Await.until(
        () -> "the text is handled: " + service.stats(), () -> service.stats().completed() == 1);

    assertThat(handled).containsExactly("a text of a service");
    Await.until(
        () -> "the others are dead letters: " + service.stats(),
        () -> service.stats().deadLetters() == foreign.size());
    assertThat(Futures.result("list", service.deadLetters().list(0, 10)))
        .hasSize(foreign.size())
        .noneMatch(Letter::decoded);
  }

  /** How the want of heap looks to who calls a codec. */
  enum Exhausted {
    BARE(new OutOfMemoryError("for this test")),
    WRAPPED(new IllegalStateException(new OutOfMemoryError("for this test"))),
    ILLEGAL(new IllegalArgumentException(new OutOfMemoryError("for this test")));

    private final Throwable failure;

    Exhausted(Throwable failure) {
      this.failure = failure;
    }

    void now() {
      Undeclared.raise(failure);
    }
  }

  /** Has no heap to decode the first bodies, or to encode any. */
  private static final class ExhaustedCodec implements MessageCodec<Text, Text> {
    private final AtomicInteger left = new AtomicInteger(MESSAGES / 2);
    private final Exhausted exhausted;
    private final boolean encodes;

    ExhaustedCodec(Exhausted exhausted, boolean encodes) {
      this.exhausted = exhausted;
      this.encodes = encodes;
    }

    @Override
    public void encodeToWire(Buffer wire, Text body) {
      if (!encodes) {
        exhausted.now();
      }
      wire.appendString(body.value());
    }

    @Override
    public Text decodeFromWire(int position, Buffer wire) {
      if (left.getAndDecrement() > 0) {
        exhausted.now();
      }
      return new Text(wire.getString(position, wire.length()));
    }

    @Override
    public Text transform(Text body) {
      return body;
    }

    @Override
    public String name() {
      return "test.exhausted";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  static Stream<Arguments> exhaustions() {
    return Stream.of(Exhausted.values())
        .flatMap(each -> Stream.of(Arguments.of(each, false), Arguments.of(each, true)));
  }

  @ParameterizedTest
  @MethodSource("exhaustions")
  void aMessageThatTheHeapHasNoRoomToDecodeIsTriedAgain(
      Exhausted exhausted, boolean afterARestart) {
    Weir weir = weir().registerCodec(Text.class, new ExhaustedCodec(exhausted, true));
    Gate gate = new Gate();
    ServiceOptions options = new ServiceOptions().setBackoffMs(1);
    Service service = serve(weir, "texts", options, gate::handle);
    Futures.result("pause", service.pause());
    for (Object text : texts) {
      Futures.result("send", weir.send("texts", text, Durability.PROCESS));
    }
    if (afterARestart) {
      restart();
      weir = weir().registerCodec(Text.class, new ExhaustedCodec(exhausted, true));
      service = serve(weir, "texts", options, gate::handle);
    }
    Futures.result("resume", service.resume());
    Service serving = service;
    Await.until(() -> "all are handled: " + serving.stats(), () -> gate.bodies.size() == MESSAGES);
    assertThat(gate.bodies).containsExactlyInAnyOrderElementsOf(texts);
    assertThat(service.stats().deadLetters()).isZero();
    gate.openAll();
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatTheHeapHasNoRoomToDecodeIsNotCalledBad(Exhausted exhausted) {
    Weir weir = weir().registerCodec(Text.class, new ExhaustedCodec(exhausted, true));
    Gate gate = new Gate();
    Service service = serve(weir, "texts", diskOnly().setWorkers(1), gate::handle);
    Future<?> first = vertx.eventBus().request("texts", new Text("first"));
    Future<?> second = vertx.eventBus().request("texts", new Text("second"));
    Await.until("the second waits on disk", () -> service.stats().waitingOnDisk() == 1);
    gate.openAll();
    assertFailure(Futures.failure("the second", second), FlowFailure.HANDLER_FAILED);
    Futures.result("the first", first);
  }

  /** Where it waits: in memory, where its size is asked for, or on disk. */
  @ParameterizedTest
  @MethodSource("exhaustions")
  void aMessageThatTheHeapHasNoRoomToTakeIsNotCalledBad(Exhausted exhausted, boolean onDisk) {
    Weir weir = weir().registerCodec(Text.class, new ExhaustedCodec(exhausted, false));
    Gate gate = new Gate();
    ServiceOptions options = (onDisk ? diskOnly() : memoryOnly()).setWorkers(1);
    serve(weir, "texts", options, gate::handle);
    Future<?> first = vertx.eventBus().request("texts", "first");

    Throwable failure =
        Futures.failure("the second", vertx.eventBus().request("texts", new Text("second")));

    assertFailure(failure, FlowFailure.SERVICE_FULL);
    gate.openAll();
    Futures.result("the first", first);
  }

  @ParameterizedTest
  @MethodSource("exhaustions")
  void aDurableSendThatTheHeapHasNoRoomToTakeIsNotCalledBad(
      Exhausted exhausted, boolean overTheBus) {
    Weir weir = weir();
    serve(weir, "texts", new ServiceOptions(), new Gate()::handle);
    Weir sender = overTheBus ? weir(new WeirOptions()) : weir;
    sender.registerCodec(Text.class, new ExhaustedCodec(exhausted, false));

    Throwable failure =
        Futures.failure("the send", sender.send("texts", new Text("a"), Durability.PROCESS));

    assertFailure(failure, FlowFailure.SERVICE_FULL);
  }

  /** A class that a handler asks for. */
  record Order(int number) {
    Order {
      throw new IllegalStateException(new OutOfMemoryError("for this test"));
    }
  }

  @Test
  void aMessageThatTheHeapHasNoRoomToMapIsNotCalledBad() {
    Weir weir = weir();
    Service service =
        Futures.result(
            "serve",
            weir.serve(
                "orders",
                Order.class,
                new ServiceOptions().setMaxAttempts(3).setBackoffMs(1),
                message -> Future.succeededFuture()));
    JsonObject body = new JsonObject().put("number", 1);

    assertFailure(
        Futures.failure("a request", vertx.eventBus().request("orders", body)),
        FlowFailure.HANDLER_FAILED);
    Futures.result("a send", weir.send("orders", body, Durability.PROCESS));

    Await.until(
        () -> "all attempts are made: " + service.stats(),
        () -> service.stats().deadLetters() == 1);
    assertThat(Futures.result("list", service.deadLetters().list(0, 1)).get(0).deliveries())
        .isEqualTo(3);
  }

  @Test
  void messagesWhoseCodecFailsAreKeptUntilItDoesNot() {
    sendAndStop();
    Gate gate = new Gate();
    Service service =
        serve(
            weir().registerCodec(Text.class, new Text.WriteOnlyCodec()),
            "texts",
            new ServiceOptions(),
            gate::handle);
    assertDeadLetters(service, "on purpose");
    assertThat(gate.bodies).isEmpty();
    restart();
    assertAllHandledOnceRequeued(weir().registerCodec(Text.class, new Text.Codec()), "texts", gate);
  }
}
