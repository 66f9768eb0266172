package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.vertx.BufferBytes;
import dev.weir.flow.vertx.PendingReplies;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import dev.weir.testing.MissingClasses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

/** Services where something inside Vert.x is missing that they can do without. */
class MissingInternalsTest extends FlowTestBase {
  private static <T> T without(Class<? extends T> task, String... missing) {
    return new MissingClasses(List.of("dev.weir.flow."), List.of(missing)).make(task);
  }

  /** What was handled of three requests, of which the second has been given up. */
  static final class GivenUp implements BiFunction<Vertx, Path, List<Object>> {
    @Override
    public List<Object> apply(Vertx vertx, Path directory) {
      Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
      Gate gate = new Gate();
      Futures.result(
          "it serves", weir.serve("slow", new ServiceOptions().setWorkers(1), gate::handle));
      vertx.eventBus().request("slow", "held");
      Future<?> given =
          vertx.eventBus().request("slow", "given up", new DeliveryOptions().setSendTimeout(50));
      Future<Message<Object>> fresh = vertx.eventBus().request("slow", "fresh");
      Futures.failure("the requester gives up", given);
      for (int i = 0; i < 3; i++) {
        Await.until("the next is started", () -> !gate.held.isEmpty());
        gate.open();
      }
      Futures.result("the fresh one is answered", fresh);
      Futures.result("it closes", weir.close());
      return gate.bodies;
    }
  }

  @Test
  void aRequestThatWasGivenUpIsHandledWhereTheHandlersOfTheBusCannotBeRead() {
    try (LoggedLines log = LoggedLines.of(PendingReplies.class.getName(), Level.INFO)) {
      BiFunction<Vertx, Path, List<Object>> givenUp =
          without(GivenUp.class, "io.vertx.core.eventbus.impl.EventBusImpl");
      assertThat(givenUp.apply(vertx, directory)).containsExactly("held", "given up", "fresh");
      assertThat(log.lines())
          .anyMatch(line -> line.startsWith("requests whose requester has given up are handled"));
    }
  }

  /** The replies to buffers that were given, and waited on disk. */
  static final class OnDisk implements BiFunction<Vertx, Path, List<Object>> {
    @Override
    public List<Object> apply(Vertx vertx, Path directory) {
      Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
      Gate gate = new Gate();
      Futures.result("it serves", weir.serve("give", diskOnly(), gate::handle));
      List<Future<Message<Object>>> replies = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        replies.add(vertx.eventBus().request("give", NoCopyBody.of(Buffer.buffer("body " + i))));
      }
      List<Object> bodies = new ArrayList<>();
      for (Future<Message<Object>> reply : replies) {
        Await.until("the next is started", () -> !gate.held.isEmpty());
        gate.open();
        bodies.add(Futures.result("it is answered", reply).body());
      }
      Futures.result("it closes", weir.close());
      return bodies;
    }
  }

  @Test
  void buffersWaitOnDiskWhereTheyCannotBeOpened() {
    try (LoggedLines log = LoggedLines.of(BufferBytes.class.getName(), Level.INFO)) {
      BiFunction<Vertx, Path, List<Object>> onDisk =
          without(
              OnDisk.class,
              "io.vertx.core.internal.buffer.BufferInternal",
              "io.vertx.core.buffer.impl.BufferImpl");
      assertThat(onDisk.apply(vertx, directory))
          .containsExactly(
              Buffer.buffer("body 0"), Buffer.buffer("body 1"), Buffer.buffer("body 2"));
      assertThat(log.lines()).hasSize(2);
    }
  }
}
