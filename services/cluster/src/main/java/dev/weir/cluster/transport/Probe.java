package dev.weir.cluster.transport;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Finds out whether a process listens at an address, without sending anything to it. */
public final class Probe {
  private Probe() {}

  public enum Answer {
    LISTENS,
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
}
