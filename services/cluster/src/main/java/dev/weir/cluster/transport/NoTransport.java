package dev.weir.cluster.transport;

import dev.weir.cluster.protocol.Membership;
import java.nio.ByteBuffer;

/** The transport of a group that has only one member. */
public class NoTransport implements Transport {
  @Override
  public void members(Membership members) {
    // There is nobody to connect.
  }

  @Override
  public void start(Receiver receiver) {
    // There is nobody to connect.
  }

  @Override
  public boolean send(int member, ByteBuffer frame) {
    return false;
  }

  @Override
  public void drop(int member) {
    // There is no connection.
  }

  @Override
  public int poll() {
    return 0;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
