package dev.weir.cluster.transport;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds out whether a process listens at an address, without sending anything to it. */
public final class Probe {
  private Probe() {}

  public enum Answer {
    LISTENS,
    /** The process has answered. */
    SERVES,
    /** The machine refuses the connection: the process that listened there is gone. */
    REFUSED,
    /** There was no answer in time, or one that proves nothing about the process. */
    UNKNOWN
  }

  /** Connects to the address; blocks for {@code timeoutMs} at most. */
  public static Answer ask(InetSocketAddress address, int timeoutMs) {
    try (Socket socket = new Socket()) {
      socket.connect(address, timeoutMs);
      // If nobody listens at a port of this machine, TCP may connect a socket to itself.
      return socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())
          ? Answer.REFUSED
          : Answer.LISTENS;
    } catch (ConnectException e) {
      return Answer.REFUSED;
    } catch (IOException e) {
      return Answer.UNKNOWN;
    }
  }

  /**
   * Sends a greeting to the address and waits for the same in return; blocks for {@code timeoutMs}
   * twice at most.
   *
   * @return {@code LISTENS} if there was a connection and no answer on it
   */
  public static Answer greet(InetSocketAddress address, String greeting, int timeoutMs) {
    byte[] sent = greeting.getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = new Socket()) {
      socket.connect(address, timeoutMs);
      try {
        socket.setSoTimeout(timeoutMs);
        socket.getOutputStream().write(sent);
        byte[] answer = socket.getInputStream().readNBytes(sent.length);
        return Arrays.equals(answer, sent) ? Answer.SERVES : Answer.UNKNOWN;
      } catch (SocketTimeoutException e) {
        return Answer.LISTENS;
      }
    } catch (ConnectException e) {
      return Answer.REFUSED;
    } catch (IOException e) {
      return Answer.UNKNOWN;
    }
  }
}
