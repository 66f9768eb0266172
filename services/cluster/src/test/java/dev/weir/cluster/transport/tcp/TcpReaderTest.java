package dev.weir.cluster.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.Transport;
import dev.weir.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The thread that reads the links of many groups. */
class TcpReaderTest {
  private final AtomicInteger connected = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  private final class Counting implements Transport.Receiver {
    @Override
    public void onFrame(int from, ByteBuffer frame) {
      // None is sent.
    }

    @Override
    public void onConnected(int member) {
      connected.incrementAndGet();
    }

    @Override
    public void onLost(int member) {
      lost.incrementAndGet();
    }

    @Override
    public void onRefused(int member) {
      // Nobody probes.
    }
  }

  /** Another thread drops the connection just before the reader says what it waits for. */
  private static final class DroppedKey extends SelectionKey {
    private final SelectionKey key;
    private final TcpLink link;

    DroppedKey(SelectionKey key, TcpLink link) {
      this.key = key;
      this.link = link;
    }

    @Override
    public int interestOps() {
      Thread other = new Thread(link::drop);
      other.start();
      try {
        other.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return key.interestOps();
    }

    @Override
    public SelectionKey interestOps(int operations) {
      return key.interestOps(operations);
    }

    @Override
    public SelectableChannel channel() {
      return key.channel();
    }

    @Override
    public Selector selector() {
      return key.selector();
    }

    @Override
    public boolean isValid() {
      return key.isValid();
    }

    @Override
    public void cancel() {
      key.cancel();
    }

    @Override
    public int readyOps() {
      return key.readyOps();
    }
  }

  @Test
  void goesOnWhenAnotherThreadDropsAConnectionAtTheWorstMoment() throws IOException {
    TcpReader reader =
        new TcpReader("reader", () -> {}) {
          @Override
          SelectionKey register(SocketChannel channel, Readable link) throws IOException {
            return new DroppedKey(super.register(channel, link), (TcpLink) link);
          }
        };
    reader.start();
    TcpLink link = new TcpLink("g", 1, "b", new FrameLimits(1_000, 10_000), reader, () -> {});
    link.begin(new Counting());
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
      for (int i = 1; i <= 3; i++) {
        int drops = i;
        try (SocketChannel other = SocketChannel.open(address)) {
          SocketChannel channel = server.accept();
          channel.configureBlocking(false);
          assertThat(other.isConnected()).isTrue();
          link.offer("b", new TcpConnection(channel, channel, i, address));
          Await.until("connection " + drops, () -> connected.get() == drops);
          Await.until("loss " + drops, () -> lost.get() == drops);
        }
      }
    } finally {
      link.end();
      reader.close();
      link.close();
    }
  }
}
