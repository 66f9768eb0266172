package dev.weir.processor;

import dev.weir.options.HeapExhaustion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket in the directory of a member, by which commands on its machine ask the member while it
 * runs. Who may write to the socket file, by default only the member's user, may use it. A question
 * is a line, and its answer all that comes until the end.
 */
final class ControlSocket implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlSocket.class);

  /** No group has such a name. */
  private static final String FILE = "@control";

  /** Pause after a failed accept. Without file descriptors the next one fails at once too. */
  private static final long RETRY_MS = 100;

  private final Path file;
  private final ServerSocketChannel server;
  private final UnaryOperator<String> answers;

  private ControlSocket(Path file, ServerSocketChannel server, UnaryOperator<String> answers) {
    this.file = file;
    this.server = server;
    this.answers = answers;
  }

  /**
   * Begins to listen.
   *
   * @param directory of a member, which this process has locked
   * @param answers may block; each question has a thread
   * @throws IOException if there can be no socket
   */
  static ControlSocket listen(Path directory, UnaryOperator<String> answers) throws IOException {
    Path file = directory.resolve(FILE);
    // The process that left it has ended, or the directory would not be locked by this one.
    Files.deleteIfExists(file);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean bound = false;
    try {
      server.bind(UnixDomainSocketAddress.of(file));
      bound = true;
    } finally {
      if (!bound) {
        server.close();
      }
    }
    return listen(file, server, answers);
  }

  /** Begins to accept connections of a socket that is bound to a file. */
  static ControlSocket listen(
      Path file, ServerSocketChannel server, UnaryOperator<String> answers) {
    ControlSocket socket = new ControlSocket(file, server, answers);
    start("processor-control", socket::accept);
    return socket;
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Accepts until the socket is closed; what fails once may not fail the next time. */
  private void accept() {
    boolean failed = false;
    while (server.isOpen()) {
      try {
        answerByThread(server.accept());
        failed = false;
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | OutOfMemoryError e) {
        if (!failed) {
          LOG.warn("commands cannot ask this member, it tries again until they can: {}", "" + e);
        }
        failed = true;
        HeapExhaustion.report(e);
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answerByThread(SocketChannel client) throws IOException {
    boolean started = false;
    try {
      start("processor-answer", () -> answer(client));
      started = true;
    } finally {
      if (!started) {
        client.close();
      }
    }
  }

  private void answer(SocketChannel client) {
    try (client) {
      String question = reader(client).readLine();
      if (question != null) {
        write(client, answers.apply(question));
      }
    } catch (IOException e) {
      LOG.debug("a command ended before it had its answer", e);
    }
  }

  /**
   * Asks the member that runs on a directory.
   *
   * @throws IOException if none does, or it cannot be asked
   */
  static String ask(Path directory, String question) throws IOException {
    try (SocketChannel client =
        SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(FILE)))) {
      write(client, question + "\n");
      StringBuilder answer = new StringBuilder();
      reader(client).lines().forEach(line -> answer.append(line).append('\n'));
      return answer.toString();
    }
  }

  private static BufferedReader reader(SocketChannel channel) {
    return new BufferedReader(
        new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
  }

  private static void write(SocketChannel channel, String text) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(file);
  }
}
