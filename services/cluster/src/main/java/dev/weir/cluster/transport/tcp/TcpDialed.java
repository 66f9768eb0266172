package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.Hello;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that this member makes for a group, until the other side has agreed. */
final class TcpDialed extends TcpConnect {
  private static final Logger LOG = LoggerFactory.getLogger(TcpDialed.class);

  private final TcpEndpoint endpoint;
  private final TcpTransport transport;
  private final TcpLink link;
  private final Runnable onEnd;

  /**
   * @param onEnd called when it was taken into use or came to nothing
   */
  TcpDialed(
      TcpEndpoint endpoint,
      SocketChannel channel,
      TcpTransport transport,
      TcpLink link,
      Runnable onEnd) {
    super(endpoint, channel);
    this.endpoint = endpoint;
    this.transport = transport;
    this.link = link;
    this.onEnd = onEnd;
  }

  @Override
  void greet() throws IOException {
    channel().setOption(StandardSocketOptions.TCP_NODELAY, true);
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
    transport.hello(link.name()).encode(Hello.HELLO, out);
    write(out);
  }

  @Override
  void answered() throws IOException {
    ByteBuffer in = readHello();
    if (in == null) {
      return;
    }
    byte kind = Hello.decodeKind(in);
    if (kind == Hello.LATER) {
      fail(null);
    } else if (kind == Hello.REFUSED) {
      throw new IllegalStateException(Hello.text(in));
    } else {
      use(Hello.decode(in));
    }
  }

  private void use(Hello theirs) {
    String refusal = transport.refusal(theirs);
    if (refusal != null) {
      throw new IllegalStateException(refusal);
    }
    endpoint.release(this);
    link.offer(new TcpConnection(channel(), theirs.incarnation(), theirs.listening()));
    onEnd.run();
  }

  @Override
  void failed(Exception reason) {
    onEnd.run();
    if (reason instanceof RuntimeException) {
      String group = transport.group();
      endpoint.warn(
          "cannot connect " + group + " with " + link.name() + ": " + reason.getMessage());
    } else if (reason != null) {
      LOG.debug("dialing {} came to nothing", link.name(), reason);
    }
  }
}
