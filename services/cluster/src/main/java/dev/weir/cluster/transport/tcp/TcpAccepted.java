package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection made by another member, until its greeting says which group it is for. */
final class TcpAccepted extends TcpAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(TcpAccepted.class);

  private final ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);

  TcpAccepted(TcpEndpoint endpoint, SocketChannel channel) {
    super(endpoint, channel);
  }

  @Override
  void received() throws IOException {
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
    TcpTransport transport = endpoint().group(theirs.group());
    String cluster = endpoint().cluster();
    if (!theirs.cluster().equals(cluster)) {
      refuse(
          theirs, clusterNames(theirs.cluster(), cluster), clusterNames(cluster, theirs.cluster()));
    } else if (transport == null) {
      // The group starts later here, or has been closed.
      Hello.encodeLater(out);
      write(out);
      fail(null);
    } else {
      answer(theirs, transport);
    }
  }

  private void answer(Hello theirs, TcpTransport transport) throws IOException {
    String refusal = transport.refusal(theirs);
    if (refusal != null) {
      refuse(theirs, refusal, transport.refusalThere(theirs, refusal));
      return;
    }
    transport.hello(theirs.from()).encode(Hello.WELCOME, out);
    channel().setOption(StandardSocketOptions.TCP_NODELAY, true);
    write(out);
    offerTo(transport.link(theirs.from()), theirs);
  }

  private static String clusterNames(String there, String here) {
    return "there clusterName is " + there + ", here " + here;
  }

  /**
   * @param whyThere the same for the log of the other member
   */
  private void refuse(Hello theirs, String why, String whyThere) throws IOException {
    endpoint().warn("refused " + theirs.from() + " in group " + theirs.group() + ": " + why);
    Hello.encodeRefused(whyThere, out);
    write(out);
    fail(null);
  }

  @Override
  void failed(Exception reason) {
    // A probe closes the connection without a greeting, which is an IOException and not a warning.
    if (reason instanceof RuntimeException) {
      endpoint().warn("refused a connection: " + reason.getMessage());
    } else if (reason != null) {
      LOG.debug("an accepted connection failed before its greeting", reason);
    }
  }
}
