package dev.weir.cluster.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * TLS over a socket that does not block. One thread at a time reads, and one at a time writes; both
 * may be done at once after the handshake.
 */
final class TlsChannel implements ByteChannel {
  /** Type of the first record of TLS. */
  private static final int HANDSHAKE = 0x16;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel socket;
  private final SSLEngine engine;

  /** Received and not decrypted yet; filled from position on. */
  private final ByteBuffer received;

  /** Decrypted and not read yet; ready to be read. */
  private final ByteBuffer decrypted;

  /** Encrypted and not sent yet; ready to be sent. */
  private final ByteBuffer encrypted;

  /** Bytes that are in {@link #encrypted}, and that the writer was not told to be written. */
  private int owed;

  /** The first byte received; -1 before. */
  private int first = -1;

  private boolean begun;

  TlsChannel(SocketChannel socket, SSLEngine engine) {
    this.socket = socket;
    this.engine = engine;
    int packet = engine.getSession().getPacketBufferSize();
    received = ByteBuffer.allocateDirect(2 * packet);
    encrypted = ByteBuffer.allocateDirect(2 * packet).limit(0);
    decrypted = ByteBuffer.allocate(2 * engine.getSession().getApplicationBufferSize()).limit(0);
  }

  /** Whether the other side began with something else than a handshake of TLS. */
  boolean isPlain() {
    return first >= 0 && first != HANDSHAKE;
  }

  /** Continues the handshake; returns whether it is over. */
  boolean handshake() throws IOException {
    if (!begun) {
      begun = true;
      engine.beginHandshake();
    }
    while (true) {
      if (!flush()) {
        throw new IOException("a new connection takes no more of its handshake");
      }
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> wrap(NOTHING);
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (!unwrapOrFill()) {
            return false;
          }
        }
        default -> {
          return true;
        }
      }
    }
  }

  /** False if more has to arrive first. */
  private boolean unwrapOrFill() throws IOException {
    if (unwrap().getStatus() != Status.BUFFER_UNDERFLOW) {
      return true;
    }
    int bytes = socket.read(received);
    if (bytes > 0 && first < 0) {
      first = received.get(0) & 0xff;
    }
    if (bytes < 0) {
      throw new EOFException("closed by the other side in the handshake of TLS");
    }
    return bytes > 0;
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask(); task != null; ) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  private SSLEngineResult unwrap() throws IOException {
    received.flip();
    decrypted.compact();
    try {
      return engine.unwrap(received, decrypted);
    } finally {
      received.compact();
      decrypted.flip();
    }
  }

  private SSLEngineResult wrap(ByteBuffer from) throws IOException {
    encrypted.compact();
    try {
      return engine.wrap(from, encrypted);
    } finally {
      encrypted.flip();
    }
  }

  private boolean flush() throws IOException {
    if (encrypted.hasRemaining()) {
      socket.write(encrypted);
    }
    return !encrypted.hasRemaining();
  }

  /** Reads what there is, until the buffer is full; -1 if the other side has closed. */
  @Override
  public int read(ByteBuffer to) throws IOException {
    int total = take(to);
    boolean closed = false;
    while (to.hasRemaining() && !closed) {
      SSLEngineResult result = unwrap();
      total += take(to);
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      }
      if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
        int bytes = socket.read(received);
        if (bytes == 0) {
          return total;
        }
        closed = bytes < 0;
      } else if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
        // It has to write first, to agree on new keys; or the other side has closed.
        closed = result.getStatus() == Status.CLOSED;
        if (!closed) {
          return total;
        }
      } else {
        closed = result.getStatus() == Status.CLOSED;
      }
    }
    return closed && total == 0 ? -1 : total;
  }

  private int take(ByteBuffer to) {
    int bytes = Math.min(to.remaining(), decrypted.remaining());
    to.put(to.position(), decrypted, decrypted.position(), bytes);
    to.position(to.position() + bytes);
    decrypted.position(decrypted.position() + bytes);
    return bytes;
  }

  /**
   * Writes from the position on, until the socket takes no more. Bytes count as written when they
   * have left encrypted: who writes them again after that gets them counted, not sent again.
   */
  @Override
  public int write(ByteBuffer from) throws IOException {
    int total = 0;
    while (flush()) {
      from.position(from.position() + owed);
      total += owed;
      owed = 0;
      if (!from.hasRemaining()) {
        break;
      }
      SSLEngineResult result = wrap(from.duplicate());
      if (result.getStatus() == Status.CLOSED) {
        throw new IOException("closed by the other side");
      }
      owed = result.bytesConsumed();
      if (owed == 0 && result.bytesProduced() == 0) {
        // It waits for the other side, to agree on new keys.
        break;
      }
    }
    return total;
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
