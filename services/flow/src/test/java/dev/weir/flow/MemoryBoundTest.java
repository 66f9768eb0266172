package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory tier counts what bodies hold of the heap, also those without a size of their own. */
@Tag("slow")
class MemoryBoundTest {
  private static final int MESSAGES = 3_000;
  private static final int BODY_BYTES = 100_000;
  private static final int ALBUMS = 300;
  private static final int PICTURE_BYTES = 500_000;
  private static final long ENDED_S = 300;

  @ParameterizedTest
  @ValueSource(strings = {"text", "object", "array"})
  void aFloodOfJsonDoesNotFillTheHeap(String kind) {
    assertSurvives(kind);
  }

  @Test
  void norDoesOneOfLargeHeaders() {
    assertSurvives("headers");
  }

  @ParameterizedTest
  @ValueSource(strings = {"refusing", "silent"})
  void norDoesOneOfObjectsThatTheirCodecDoesNotEncode(String codec) {
    assertSurvives(codec);
  }

  private static void assertSurvives(String kind) {
    try (ChildJvm child =
        ChildJvm.of(MemoryBoundTest.class)
            .flags("-Xmx128m", "-XX:+ExitOnOutOfMemoryError")
            .mergeErrors()
            .start(kind)) {
      Await.until(() -> "the child ends: " + child.lines(), ENDED_S, () -> !child.isAlive());
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isZero();
      assertThat(child.lines()).contains("answered");
    }
  }

  /** The child: floods a paused service, and asks for one reply at last. */
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    Weir weir = Weir.create(vertx);
    Service service =
        Futures.result(
            "serve",
            weir.serve(
                "json",
                new ServiceOptions(),
                message -> io.vertx.core.Future.succeededFuture("reply")));
    Futures.result("pause", service.pause());
    weir.registerCodec(Album.class, new LocalCodec(args[0]));
    int messages = body(args[0]) instanceof Album ? ALBUMS : MESSAGES;
    for (int i = 0; i < messages; i++) {
      vertx.eventBus().send("json", body(args[0]), options(args[0]));
      long sent = i + 1L;
      Await.until(
          "it is taken or refused",
          () -> service.stats().accepted() + service.stats().rejected() >= sent);
    }
    System.out.println(service.stats());
    Futures.result("resume", service.resume());
    Await.until("all are handled", () -> service.stats().waitingInMemory() == 0);
    Futures.result("reply", vertx.eventBus().request("json", new JsonObject()));
    System.out.println("answered");
    Futures.result("close", vertx.close());
  }

  private static DeliveryOptions options(String kind) {
    DeliveryOptions options = new DeliveryOptions();
    return kind.equals("headers") ? options.addHeader("large", "x".repeat(BODY_BYTES)) : options;
  }

  private static Object body(String kind) {
    return switch (kind) {
      case "headers" -> "small";
      case "text" -> new JsonObject().put("text", "x".repeat(BODY_BYTES));
      case "object" -> {
        JsonObject object = new JsonObject();
        for (int i = 0; i < BODY_BYTES / 100; i++) {
          object.put("key " + i, new JsonObject().put("number", (long) i).put("flag", true));
        }
        yield object;
      }
      case "refusing", "silent" ->
          new Album(
              List.of(new Picture(new byte[PICTURE_BYTES]), new Picture(new byte[PICTURE_BYTES])));
      default -> {
        JsonArray array = new JsonArray();
        for (int i = 0; i < BODY_BYTES / 10; i++) {
          array.add((double) i);
        }
        yield array;
      }
    };
  }

  record Picture(byte[] pixels) {}

  record Album(List<Picture> pictures) {}

  /** A codec for the local bus alone: passes an album as it is, and cannot write it. */
  private record LocalCodec(String name) implements MessageCodec<Album, Album> {
    @Override
    public void encodeToWire(Buffer wire, Album album) {
      if (name.equals("refusing")) {
        throw new UnsupportedOperationException("albums stay here");
      }
    }

    @Override
    public Album decodeFromWire(int position, Buffer wire) {
      throw new UnsupportedOperationException("albums stay here");
    }

    @Override
    public Album transform(Album album) {
      return album;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }
}
