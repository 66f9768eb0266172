package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.Hello;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection made by another member, until it is known which group it is for. */
final class TcpAccepted extends TcpPending {
  private static final Logger LOG = LoggerFactory.getLogger(TcpAccepted.class);

  private final TcpEndpoint endpoint;
  private final ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);

  TcpAccepted(TcpEndpoint endpoint, SocketChannel channel) {
    super(channel);
    this.endpoint = endpoint;
  }

  @Override
  void proceed() throws IOException {
    ByteBuffer in = readHello();
    if (in == null) {
      return;
    }
    if (Hello.decodeKind(in) != Hello.HELLO) {
      throw new IllegalArgumentException("it does not begin with a hello");
    }
    answer(Hello.decode(in));
  }

  private void answer(Hello theirs) throws IOException {
    TcpTransport transport = endpoint.group(theirs.group());
    if (transport == null || !theirs.cluster().equals(endpoint.cluster())) {
      refuse(theirs);
      return;
    }
    String refusal = transport.refusal(theirs);
    if (refusal != null) {
      refuse(theirs, refusal);
      return;
    }
    transport.hello(theirs.from()).encode(Hello.WELCOME, out);
    channel().setOption(StandardSocketOptions.TCP_NODELAY, true);
    write(out);
    endpoint.release(this);
    transport
        .link(theirs.from())
        .offer(new TcpConnection(channel(), theirs.incarnation(), theirs.listening()));
  }

  private void refuse(Hello theirs) throws IOException {
    if (theirs.cluster().equals(endpoint.cluster())) {
      // It starts later, or has been closed.
      Hello.encodeLater(out);
      write(out);
      fail(null);
    } else {
      refuse(theirs, "there clusterName is " + theirs.cluster() + ", here " + endpoint.cluster());
    }
  }

  private void refuse(Hello theirs, String why) throws IOException {
    endpoint.warn("refused " + theirs.from() + " in group " + theirs.group() + ": " + why);
    Hello.encodeRefused(why, out);
    write(out);
    fail(null);
  }

  @Override
  void failed(Exception reason) {
    // Who only looks whether somebody listens says nothing.
    if (reason instanceof RuntimeException) {
      endpoint.warn("refused a connection: " + reason.getMessage());
    } else if (reason != null) {
      LOG.debug("a connection came to nothing", reason);
    }
  }
}
