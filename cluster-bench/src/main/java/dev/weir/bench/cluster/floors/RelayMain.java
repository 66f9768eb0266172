package dev.weir.bench.cluster.floors;

import dev.weir.bench.Preheat;
import dev.weir.bench.cluster.child.ParentWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * The main class of the two child processes of the relay: the least that a primary and its backup
 * must do. Each writes what it receives to a file. The backup then answers with the number of bytes
 * that it has written so far, and the primary sends these bytes back to its client. All threads
 * wait in the kernel, and take as many bytes at once as there are.
 *
 * <p>Arguments: a file, and for the primary the port of the backup. The process prints {@link
 * EchoMain#READY} and its port, and for each line from its parent how long its compilers have
 * worked.
 */
public final class RelayMain {
  /** A power of two; the most bytes that wait for the backup. */
  private static final int RING_BYTES = 1 << 20;

  /** A file is written again from its beginning when it is as long as this. */
  private static final long FILE_BYTES = 256L << 20;

  static final String HOST = "127.0.0.1";

  private static final String COMPILED = "COMPILED";

  private final FileChannel file;
  private final SocketChannel client;
  private final ByteBuffer ring = ByteBuffer.allocateDirect(RING_BYTES);

  /** Position up to which bytes were sent back. */
  private long answered;

  private RelayMain(FileChannel file, SocketChannel client) {
    this.file = file;
    this.client = client;
  }

  /** Serves one connection after the other until the parent ends. */
  public static void main(String[] args) throws IOException {
    watchParent();
    try (ServerSocketChannel server = ServerSocketChannel.open();
        FileChannel file = open(args[0])) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      System.out.println(EchoMain.READY + " " + server.socket().getLocalPort());
      while (true) {
        try (SocketChannel client = noDelay(server.accept())) {
          RelayMain relay = new RelayMain(file, client);
          if (args.length == 1) {
            relay.backUp();
          } else {
            relay.lead(Integer.parseInt(args[1]));
          }
        }
      }
    }
  }

  /** Ends with the parent, and says to it how long the compilers have worked. */
  static void watchParent() {
    ParentWatch.start(() -> System.out.println(COMPILED + " " + Preheat.compiledMs()));
  }

  /** The file that messages are written to. */
  static FileChannel open(String path) throws IOException {
    return FileChannel.open(Path.of(path), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** How long the compilers of the process have worked, if its line says that. */
  static OptionalLong compiledMs(String line) {
    return line.startsWith(COMPILED + " ")
        ? OptionalLong.of(Long.parseLong(line.substring(COMPILED.length() + 1)))
        : OptionalLong.empty();
  }

  private static SocketChannel noDelay(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }

  private void backUp() throws IOException {
    ByteBuffer written = ByteBuffer.allocateDirect(Long.BYTES);
    long end = 0;
    for (int read = client.read(ring); read >= 0; read = client.read(ring)) {
      persist(file, ring.flip());
      ring.clear();
      end += read;
      writeAll(client, written.clear().putLong(0, end));
    }
  }

  private void lead(int backupPort) throws IOException {
    try (SocketChannel backup =
        noDelay(
            SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), backupPort)))) {
      Thread answers = new Thread(() -> answer(backup), "relay-answers");
      answers.setDaemon(true);
      answers.start();
      long end = 0;
      for (int read = client.read(room(end)); read >= 0; read = client.read(room(end))) {
        persist(file, bytes(end, end + read));
        writeAll(backup, bytes(end, end + read));
        end += read;
      }
    }
  }

  /** Where the next bytes go; blocks while there is no room. */
  private synchronized ByteBuffer room(long end) {
    while (end - answered == RING_BYTES) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return bytes(end, answered + RING_BYTES);
  }

  /** The bytes between two positions, as far as they lie in one piece. */
  private ByteBuffer bytes(long from, long to) {
    int start = (int) (from & (RING_BYTES - 1));
    return ring.duplicate().limit((int) Math.min(RING_BYTES, start + (to - from))).position(start);
  }

  private void answer(SocketChannel backup) {
    ByteBuffer written = ByteBuffer.allocateDirect(Long.BYTES);
    try {
      while (backup.read(written) >= 0) {
        if (!written.hasRemaining()) {
          sendBack(written.getLong(0));
          written.clear();
        }
      }
    } catch (IOException e) {
      // Closed. Missing replies show in the verdict.
    }
  }

  private void sendBack(long to) throws IOException {
    for (long from = answered; from < to; ) {
      ByteBuffer piece = bytes(from, to);
      from += piece.remaining();
      writeAll(client, piece);
    }
    synchronized (this) {
      answered = to;
      notifyAll();
    }
  }

  static void persist(FileChannel file, ByteBuffer bytes) throws IOException {
    if (file.position() >= FILE_BYTES) {
      file.position(0);
    }
    writeAll(file, bytes);
  }

  private static void writeAll(WritableByteChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }
}
