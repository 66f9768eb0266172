package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection that this member makes: sends a hello and waits for the welcome. */
abstract class TcpDial extends TcpAttempt {
  private final ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);

  /** The random numbers of both ends. */
  private final String own;

  private String theirs;

  /** The other end has proven that it knows the secret, or need not. */
  private boolean proven;

  TcpDial(TcpEndpoint endpoint, SocketChannel channel) {
    super(endpoint, channel);
    this.own = endpoint.secret() == null ? null : endpoint.secret().nonce();
    this.proven = endpoint.secret() == null;
  }

  /** Over a trunk, whose ends have proven what they must. */
  TcpDial(TcpEndpoint endpoint, TrunkStream stream) {
    super(endpoint, stream);
    this.own = null;
    this.proven = true;
  }

  /** The greeting that this end sends. */
  abstract Hello hello();

  /** What the connection is for does not run there now. */
  abstract void later();

  /** The other end takes it over no trunk. */
  abstract void alone();

  /** Called with the greeting of the other end, which has proven what it must. */
  abstract void welcomed(Hello theirs);

  @Override
  final void connected() throws IOException {
    setNoDelay();
    hello().encode(Hello.HELLO, out);
    write(out);
  }

  @Override
  final void received() throws IOException {
    for (ByteBuffer in = readHello(); in != null; in = isOver() ? null : readHello()) {
      byte kind = Hello.decodeKind(in);
      switch (kind) {
        case Hello.LATER -> later();
        case Hello.ALONE -> alone();
        case Hello.REFUSED -> throw new IllegalStateException(Hello.text(in));
        case Hello.CHALLENGE -> prove(Hello.text(in));
        case Hello.PROOF -> check(Hello.text(in), Hello.text(in));
        default -> use(Hello.decode(in));
      }
    }
  }

  private void prove(String challenge) throws IOException {
    if (endpoint().secret() == null) {
      throw new IllegalStateException(
          "there members have to know a secret, here secretFile is not set");
    }
    theirs = challenge;
    String proof = endpoint().secret().proof("dials", hello().group(), theirs, own);
    Hello.encodeTexts(Hello.PROOF, out, own, proof);
    write(out);
  }

  private void check(String challenge, String proof) {
    proven =
        endpoint().secret() == null
            || theirs != null
                && challenge.equals(theirs)
                && endpoint().secret().isProof(proof, "accepts", hello().group(), own, theirs);
  }

  private void use(Hello welcome) {
    if (!proven) {
      throw new IllegalStateException(
          "the other side has not proven that it knows the secret of secretFile");
    }
    welcomed(welcome);
  }
}
