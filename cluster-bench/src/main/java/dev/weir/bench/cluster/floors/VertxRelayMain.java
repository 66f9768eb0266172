package dev.weir.bench.cluster.floors;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The main class of a primary of the relay that is a server of Vert.x: one event loop has the
 * connection of the client and that to the backup, which is a {@link RelayMain}.
 *
 * <p>Arguments: a file, and the port of the backup. The process prints and answers what {@link
 * RelayMain} does.
 */
public final class VertxRelayMain {
  private final FileChannel file;
  private final NetSocket client;
  private final NetSocket backup;

  /** What came and was not sent back yet, in order. */
  private final Deque<Buffer> unanswered = new ArrayDeque<>();

  /** Position up to which bytes were sent back. */
  private long answered;

  private VertxRelayMain(FileChannel file, NetSocket client, NetSocket backup) {
    this.file = file;
    this.client = client;
    this.backup = backup;
  }

  /** Serves until the parent ends. */
  public static void main(String[] args) throws IOException {
    RelayMain.watchParent();
    FileChannel file = RelayMain.open(args[0]);
    int backupPort = Integer.parseInt(args[1]);
    Vertx vertx = Vertx.vertx();
    NetClient backups = vertx.createNetClient();
    NetServer server =
        vertx
            .createNetServer()
            .connectHandler(
                client -> {
                  client.pause();
                  backups
                      .connect(backupPort, RelayMain.HOST)
                      .onSuccess(backup -> new VertxRelayMain(file, client, backup).relay());
                })
            .listen(0, RelayMain.HOST)
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    System.out.println(EchoMain.READY + " " + server.actualPort());
  }

  private void relay() {
    backup.handler(RecordParser.newFixed(Long.BYTES, position -> sendBack(position.getLong(0))));
    client.handler(this::take);
    client.resume();
  }

  private void take(Buffer bytes) {
    try {
      RelayMain.persist(file, ByteBuffer.wrap(bytes.getBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    unanswered.add(bytes);
    backup.write(bytes);
  }

  private void sendBack(long to) {
    while (answered < to) {
      Buffer first = unanswered.poll();
      int length = (int) Math.min(first.length(), to - answered);
      if (length < first.length()) {
        unanswered.addFirst(first.slice(length, first.length()));
      }
      client.write(first.slice(0, length));
      answered += length;
    }
  }
}
