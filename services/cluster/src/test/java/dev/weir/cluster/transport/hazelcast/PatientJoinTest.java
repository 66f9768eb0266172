package dev.weir.cluster.transport.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a member begins to look for others. */
@Timeout(60)
class PatientJoinTest {
  private final List<Port> ports = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Port port : ports) {
      port.close();
    }
  }

  /** A port that listens, and answers once it serves. */
  private static final class Port implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Thread thread = new Thread(this::serve, "test-port");

    Port() throws IOException {}

    InetSocketAddress address() {
      return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    String text() {
      return "127.0.0.1:" + address().getPort();
    }

    Port begin() {
      thread.start();
      return this;
    }

    private void serve() {
      while (!socket.isClosed()) {
        try (Socket one = socket.accept()) {
          one.getOutputStream().write(one.getInputStream().readNBytes(3));
        } catch (IOException e) {
          // The caller has gone, or the test is over.
          continue;
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
      Await.until("the port ends", () -> !thread.isAlive());
    }
  }

  private Port open() throws IOException {
    Port port = new Port();
    ports.add(port);
    return port;
  }

  @Test
  void itWaitsForAMemberThatListensUntilThatServes() throws IOException {
    Port own = open().begin();
    Port other = open();
    PatientJoin join = new PatientJoin(own.address(), List.of(own.text(), other.text()));
    CompletableFuture<Integer> looks =
        CompletableFuture.supplyAsync(join::getConnectionTimeoutSeconds);
    long endNs = System.nanoTime() + 1_000_000_000L;
    Await.until("a second passes", () -> System.nanoTime() - endNs >= 0);
    assertThat(looks).isNotDone();

    other.begin();
    assertThat(looks.join()).isEqualTo(1);
  }

  @Test
  void itLooksAtOnceForMembersThatRefuse() throws IOException {
    Port own = open().begin();
    PatientJoin join =
        new PatientJoin(own.address(), List.of(own.text(), "127.0.0.1:" + FreePorts.one()));
    assertThat(join.getConnectionTimeoutSeconds()).isEqualTo(1);
  }

  @Test
  void itDoesNotWaitBeforeItServesItself() throws IOException {
    Port other = open();
    PatientJoin join =
        new PatientJoin(new InetSocketAddress("127.0.0.1", FreePorts.one()), List.of(other.text()));
    assertThat(join.getConnectionTimeoutSeconds()).isEqualTo(1);
    other.begin();
  }
}
