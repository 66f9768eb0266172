package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Bodies so large that their packets go to segment files and come back from them. */
class LargeBodyTest extends FlowTestBase {
  private static final int BYTES = 40_000;

  /** Its codec uses the array of the buffer, which every codec of a user gets. */
  private record Blob(byte bytesOfAll) {
    static final class Codec extends ImmutableCodec<Blob> {
      @Override
      public String name() {
        return "blob";
      }

      @Override
      public int sizeBytes(Blob body) {
        return BYTES;
      }

      @Override
      public void write(Blob body, ByteBuffer out) {
        int from = out.arrayOffset() + out.position();
        Arrays.fill(out.array(), from, from + BYTES, body.bytesOfAll);
        out.position(out.position() + BYTES);
      }

      @Override
      public Blob read(ByteBuffer in) {
        byte first = in.array()[in.arrayOffset() + in.position()];
        in.position(in.position() + BYTES);
        return new Blob(first);
      }
    }
  }

  private static Buffer buffer(int bytes) {
    Buffer buffer = Buffer.buffer();
    for (int i = 0; i < bytes; i++) {
      buffer.appendByte((byte) (i * 31));
    }
    return buffer;
  }

  @Test
  void everyKindOfBodyComesBackAsItWas() {
    List<Object> sent =
        List.of(
            buffer(BYTES),
            // Begins in the middle of its bytes.
            buffer(2 * BYTES).slice(BYTES / 2, BYTES + BYTES / 2),
            buffer(BYTES).getBytes(),
            "é".repeat(BYTES),
            new JsonObject().put("text", "x".repeat(BYTES)),
            new Blob((byte) 7),
            Buffer.buffer(),
            "small");
    List<Object> got = new CopyOnWriteArrayList<>();
    Weir weir = weir();
    weir.registerCodec(Blob.class, new Blob.Codec());
    Service service =
        this.<Object>serve(
            weir,
            "large",
            diskOnly().setWriteThrough(true),
            message -> {
              got.add(message.body());
              return Future.succeededFuture();
            });

    sent.forEach(body -> Futures.result("accepted", weir.send("large", body, Durability.PROCESS)));
    Await.until("all are handled", () -> service.stats().completed() == sent.size());

    assertThat(got).usingElementComparator((a, b) -> isSame(a, b) ? 0 : 1).isEqualTo(sent);
    assertThat(service.stats().written()).isEqualTo(sent.size());
  }

  private static boolean isSame(Object one, Object other) {
    return one instanceof byte[] bytes
        ? other instanceof byte[] others && Arrays.equals(bytes, others)
        : one.equals(other);
  }

  /** Passed on as it is, so that nothing but the service keeps it. */
  private record Held(byte[] bytes) {
    static final class Codec extends ImmutableCodec<Held> {
      @Override
      public String name() {
        return "held";
      }

      @Override
      public int sizeBytes(Held body) {
        return body.bytes.length;
      }

      @Override
      public void write(Held body, ByteBuffer out) {
        out.put(body.bytes);
      }

      @Override
      public Held read(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return new Held(bytes);
      }
    }
  }

  @Test
  void bodiesThatWaitOnDiskHaveLeftTheHeap() {
    int messages = 100;
    Weir weir = weir().registerCodec(Held.class, new Held.Codec());
    Service service =
        this.<Held>serve(
            weir,
            "large",
            diskOnly().setWriteThrough(true),
            message -> Future.succeededFuture(message.body().bytes.length));
    Futures.result("pause", service.pause());
    List<WeakReference<Held>> bodies = new ArrayList<>();
    List<Future<Message<Object>>> requests = new ArrayList<>();
    List<Future<Void>> durable = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      Held body = new Held(new byte[10 * BYTES]);
      bodies.add(new WeakReference<>(body));
      switch (i % 3) {
        case 0 -> requests.add(vertx.eventBus().request("large", body));
        case 1 -> vertx.eventBus().send("large", body);
        default -> durable.add(weir.send("large", body, Durability.PROCESS));
      }
    }
    durable.forEach(sent -> Futures.result("accepted", sent));
    Await.until(
        () -> "all are written: " + service.stats(), () -> service.stats().written() == messages);

    // Of those that are handled next some are in memory too.
    Await.until(
        () -> "most bodies are garbage, " + left(bodies) + " are not",
        () -> {
          System.gc();
          return left(bodies) <= messages / 10;
        });

    Futures.result("resume", service.resume());
    for (Future<Message<Object>> request : requests) {
      assertThat(Futures.result("reply", request).body()).isEqualTo(10 * BYTES);
    }
    Await.until("all are handled", () -> service.stats().completed() == messages);
  }

  private static long left(List<WeakReference<Held>> bodies) {
    return bodies.stream().filter(body -> body.get() != null).count();
  }

  @Test
  void aBufferFromDiskCanGrowAsAnyOther() {
    List<Buffer> got = new CopyOnWriteArrayList<>();
    Weir weir = weir();
    Service service =
        this.<Buffer>serve(
            weir,
            "large",
            diskOnly().setWriteThrough(true),
            message -> {
              got.add(message.body().appendBuffer(buffer(BYTES)));
              return Future.succeededFuture();
            });

    Futures.result("accepted", weir.send("large", buffer(BYTES), Durability.PROCESS));
    Await.until("it is handled", () -> service.stats().completed() == 1);

    assertThat(got.get(0).length()).isEqualTo(2 * BYTES);
    assertThat(got.get(0).slice(0, BYTES)).isEqualTo(buffer(BYTES));
  }
}
