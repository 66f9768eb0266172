package dev.weir.cluster.transport;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Finds out whether a process listens at an address, and says nothing to it. */
public final class Probe {
  private Probe() {}

  public enum Answer {
    LISTENS,
    /** The machine answers that nobody does: the process that did is gone. */
    REFUSED,
    /** No answer in time, or none that says anything about the process. */
    UNKNOWN
  }

  /** Blocks until there is an answer, at most for the time given. */
  public static Answer ask(InetSocketAddress address, int timeoutMs) {
    try (Socket socket = new Socket()) {
      socket.connect(address, timeoutMs);
      // Where nobody listens, TCP connects a socket with itself if it happens to get that port.
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
