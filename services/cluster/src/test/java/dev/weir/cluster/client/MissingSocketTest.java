package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.SumProcessor;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.MissingClasses;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients where Vert.x does not show how to close a connection at once. */
@Timeout(180)
class MissingSocketTest {
  private final Vertx vertx = Vertx.vertx();

  @BeforeAll
  static void quiet() {
    QuietLog.set();
  }

  @AfterEach
  void close() {
    Futures.result("Vert.x closes", vertx.close());
  }

  private <R> R without(Class<? extends Function<Vertx, R>> task) {
    MissingClasses loader =
        new MissingClasses(
            List.of("dev.weir.cluster."), List.of("io.vertx.core.internal.net.NetSocketInternal"));
    Function<Vertx, R> run = loader.make(task);
    return run.apply(vertx);
  }

  /** The reply of a member, after another took the connection and said nothing. */
  static final class Silent implements Function<Vertx, Buffer> {
    @Override
    public Buffer apply(Vertx vertx) {
      ClientEndpoint endpoint = new ClientEndpoint(vertx);
      GroupOptions options =
          new GroupOptions()
              .setMembers(List.of("m0"))
              .setPersistence(false)
              .setAckLevel(AckLevel.RECEIVED);
      try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
          ProcessorGroup group =
              GroupBuilder.alone(options, null)
                  .processor(new SumProcessor())
                  .replies(endpoint.replies(options.getName()))
                  .start()) {
        Await.until("it accepts", () -> group.stats().accepting());
        endpoint.serve(group);
        int port = Futures.result("it listens", endpoint.listen("127.0.0.1", 0));
        ProcessorClient client =
            ProcessorClient.create(
                vertx,
                new ProcessorClientOptions()
                    .setMembers(
                        List.of("127.0.0.1:" + silent.getLocalPort(), "127.0.0.1:" + port)));
        Buffer reply = Futures.result("a reply", client.send(Buffer.buffer().appendLong(7)));
        Futures.result("the client closes", client.close());
        return reply;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void aMemberThatSaysNothingIsLeft() {
    assertThat(without(Silent.class).getLong(0)).isEqualTo(7);
  }
}
