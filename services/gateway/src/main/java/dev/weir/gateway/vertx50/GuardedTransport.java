package dev.weir.gateway.vertx50;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.util.function.Predicate;

/**
 * Makes listening sockets that ask about each connection they accept. Otherwise the same as
 * another, as far as a TCP server needs it.
 */
final class GuardedTransport implements Transport {
  private final Transport delegate;
  private final Predicate<Channel> arrival;

  /**
   * @param arrival asked on the thread that accepts; false closes the connection
   */
  GuardedTransport(Transport delegate, Predicate<Channel> arrival) {
    this.delegate = delegate;
    this.arrival = arrival;
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
    delegate.configure(options, domainSocket, bootstrap);
    bootstrap.handler(new Acceptance(arrival));
  }

  /** In the pipeline of the listening socket, before what hands connections to event loops. */
  @Sharable
  private static final class Acceptance extends ChannelInboundHandlerAdapter {
    private final Predicate<Channel> arrival;

    Acceptance(Predicate<Channel> arrival) {
      this.arrival = arrival;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      Channel channel = (Channel) accepted;
      if (arrival.test(channel)) {
        context.fireChannelRead(channel);
      } else {
        // It has no event loop yet that could close it in order.
        channel.unsafe().closeForcibly();
      }
    }
  }

  @Override
  public boolean supportsDomainSockets() {
    return delegate.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return delegate.supportFileRegion();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return delegate.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return delegate.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return delegate.ioHandlerFactory();
  }

  @Override
  public DatagramChannel datagramChannel() {
    return delegate.datagramChannel();
  }

  @Override
  @SuppressWarnings("deprecation") // Transport has it
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return delegate.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return delegate.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return delegate.serverChannelFactory(domainSocket);
  }
}
