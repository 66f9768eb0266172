package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.SharedSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection made by another member, until its greeting says which group it is for. */
final class TcpAccepted extends TcpAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(TcpAccepted.class);

  private final ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);

  /** What has to be proven, and who is to do that; null before. */
  private String challenge;

  private Hello hello;

  TcpAccepted(TcpEndpoint endpoint, SocketChannel channel) {
    super(endpoint, channel);
  }

  /** A stream that the other end of a trunk has opened. */
  TcpAccepted(TcpEndpoint endpoint, TrunkStream stream) {
    super(endpoint, stream);
  }

  @Override
  void received() throws IOException {
    for (ByteBuffer in = readHello(); in != null; in = isOver() ? null : readHello()) {
      byte kind = Hello.decodeKind(in);
      if (kind == Hello.PROOF && challenge != null) {
        check(Hello.text(in), Hello.text(in));
      } else if (kind != Hello.HELLO || challenge != null) {
        throw new IllegalArgumentException("it does not begin with a hello");
      } else if (isOnTrunk()) {
        answer(Hello.decode(in));
      } else if (endpoint().secret() == null) {
        answerWithoutSecret(Hello.decode(in));
      } else {
        hello = Hello.decode(in);
        challenge = endpoint().secret().nonce();
        Hello.encodeTexts(Hello.CHALLENGE, out, challenge);
        write(out);
      }
    }
  }

  private void answerWithoutSecret(Hello theirs) throws IOException {
    if (theirs.agreement().asksForSecret()) {
      refuse(
          theirs,
          "it asks for a secret, here secretFile is not set",
          "there secretFile is not set, here it is");
    } else {
      answer(theirs);
    }
  }

  private void check(String theirs, String proof) throws IOException {
    SharedSecret secret = endpoint().secret();
    if (!secret.isProof(proof, "dials", hello.group(), challenge, theirs)) {
      refuse(
          hello,
          "it does not know the secret of secretFile",
          "there secretFile has another secret than here");
      return;
    }
    Hello.encodeTexts(
        Hello.PROOF, out, challenge, secret.proof("accepts", hello.group(), theirs, challenge));
    write(out);
    answer(hello);
  }

  private void answer(Hello theirs) throws IOException {
    TcpTransport transport = endpoint().group(theirs.group());
    String cluster = endpoint().cluster();
    if (!theirs.cluster().equals(cluster)) {
      refuse(
          theirs, clusterNames(theirs.cluster(), cluster), clusterNames(cluster, theirs.cluster()));
    } else if (Trunks.isName(theirs.group()) && !isOnTrunk()) {
      endpoint().trunks().accept(theirs, this);
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
    if (isOnTrunk() && !transport.isReadBy(trunk().reader())) {
      Hello.encodeAlone(out);
      write(out);
      fail(null);
      return;
    }
    welcome(transport.hello(theirs.from()));
    offerTo(transport.link(theirs.from()), theirs);
  }

  void welcome(Hello ours) throws IOException {
    ours.encode(Hello.WELCOME, out);
    setNoDelay();
    write(out);
  }

  private static String clusterNames(String there, String here) {
    return "there clusterName is " + there + ", here " + here;
  }

  /**
   * @param whyThere the same for the log of the other member
   */
  void refuse(Hello theirs, String why, String whyThere) throws IOException {
    String text = "refused " + theirs.from() + " in group " + theirs.group() + ": " + why;
    if (GroupAgreement.mayPass(why)) {
      endpoint().accepting().addIfItLasts(text);
    } else {
      endpoint().accepting().add(text);
    }
    Hello.encodeRefused(whyThere, out);
    write(out);
    fail(null);
  }

  @Override
  void failed(Exception reason) {
    // A probe closes the connection without a greeting, which is an IOException and not a warning.
    if (reason instanceof SSLException) {
      endpoint()
          .accepting()
          .add("refused a connection without TLS that is trusted here: " + reason.getMessage());
    } else if (reason instanceof RuntimeException) {
      endpoint().accepting().add("refused a connection: " + reason.getMessage());
    } else if (reason != null) {
      LOG.debug("an accepted connection failed before its greeting", reason);
    }
  }
}
