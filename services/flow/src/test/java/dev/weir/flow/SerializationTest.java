package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.flow.impl.Bodies;
import dev.weir.flow.impl.Envelope;
import dev.weir.flow.impl.EnvelopeSerde;
import dev.weir.queue.Durability;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Within one JVM Vert.x itself copies the sender's own object before anybody sees the message;
 * bytes from elsewhere never become one.
 */
class SerializationTest extends FlowTestBase {
  private static final byte SERIALIZABLE_CODEC = 17;
  private static final byte ENCODED = 2;

  /** What an attacker looks for: a class that does something when it is made of bytes. */
  static final class Gadget implements Serializable {
    static final AtomicInteger MADE = new AtomicInteger();
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      MADE.incrementAndGet();
    }
  }

  @BeforeEach
  void reset() {
    Gadget.MADE.set(0);
  }

  @Test
  void refusesABodyThatTheBusWouldSerialize() {
    serve(weir(), "service", diskOnly(), message -> Future.succeededFuture("done"));

    Throwable cause = Futures.failure("refused", vertx.eventBus().request("service", new Gadget()));

    assertFailure(cause, FlowFailure.BAD_REQUEST);
    assertThat(cause).hasMessage(Bodies.NO_SERIALIZATION);
  }

  @Test
  void refusesToSendSuchABodyDurably() {
    Weir weir = weir();
    serve(weir, "service", diskOnly(), message -> Future.succeededFuture());

    assertThat(Futures.failure("refused", weir.send("service", new Gadget(), Durability.PROCESS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Gadget.class.getName())
        .hasMessageContaining("register a message codec");
    assertThat(Gadget.MADE).hasValue(0);
  }

  @Test
  void refusesToSendSuchABodyDurablyOverTheBus() {
    serve(weir(), "service", diskOnly(), message -> Future.succeededFuture());
    Weir other = weir(new WeirOptions());

    Throwable cause =
        Futures.failure("refused", other.send("service", new Gadget(), Durability.PROCESS));

    assertFailure(cause, FlowFailure.BAD_REQUEST);
  }

  @Test
  void doesNotSerializeAReply() {
    serve(weir(), "service", memoryOnly(), message -> Future.succeededFuture(new Gadget()));

    Throwable cause = Futures.failure("refused", vertx.eventBus().request("service", "x"));

    assertFailure(cause, FlowFailure.HANDLER_FAILED);
    assertThat(cause).hasMessageContaining("register a message codec");
    assertThat(Gadget.MADE).hasValue(0);
  }

  @Test
  void makesNoObjectOfSerializedBytesOnDisk() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Gadget());
    }
    Buffer body = Buffer.buffer().appendInt(bytes.size()).appendBytes(bytes.toByteArray());
    ByteBuffer envelope =
        ByteBuffer.allocate(1024)
            .putLong(0)
            .putInt(Short.BYTES)
            .putShort((short) 0)
            .put(SERIALIZABLE_CODEC)
            .put(ENCODED)
            .put(body.getBytes())
            .flip();

    Envelope read = new EnvelopeSerde(new Bodies()).read(envelope);

    assertThatThrownBy(read::decodeBody).hasMessageContaining(Bodies.NO_SERIALIZATION);
    assertThat(Gadget.MADE).hasValue(0);
  }
}
