package dev.weir.state;

import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static dev.weir.state.DocumentFailure.TOO_LARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.LargePut;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Operations that are larger than the heap for operations under way. */
class TooLargeTest extends StateTestBase {
  private static final long IN_FLIGHT_BYTES = DocumentsOptions.MIN_BUDGET_BYTES;
  private static final int LARGER_BYTES = 2 << 20;

  @Override
  DocumentsOptions options() {
    return super.options().setInFlightBytes(IN_FLIGHT_BYTES);
  }

  private static JsonObject content(int bytes) {
    return new JsonObject().put("text", "x".repeat(bytes));
  }

  @Test
  void aDocumentThatIsTooLargeIsRefusedForThatAndNotForTheLackOfRoom() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setMaxDocumentBytes(1_000));
    String allowed = "bytes, allowed are 1000";
    assertFails(cars.put("a", content(LARGER_BYTES)), TOO_LARGE, allowed);
    assertFails(cars.create("a", content(LARGER_BYTES)), TOO_LARGE, allowed);
    assertFails(cars.replace("a", content(LARGER_BYTES)), TOO_LARGE, allowed);
    assertFails(cars.get("a"), NOT_FOUND, "a");
    assertThat(documents.stats().changes()).isZero();
    assertThat(documents.stats().inFlightBytes()).isZero();
  }

  @Test
  void aDocumentThatIsTooLargeIsRefusedForThatAlsoWhileThereIsNoRoom() {
    AtomicBoolean sent = new AtomicBoolean();
    FactoryRules slow =
        new FactoryRules().setValidator((current, next) -> Await.until("all is sent", sent::get));
    DocumentFactory planes = factory("planes", new FactoryOptions(), slow);
    DocumentFactory cars = factory("cars", new FactoryOptions().setMaxDocumentBytes(1_000));
    Future<Document> first = planes.put("a", content(600_000));
    Future<Document> second = planes.put("b", content(600_000));
    Future<Document> large = cars.put("a", content(500_000));
    sent.set(true);
    assertFails(second, BUSY, "too many bytes");
    assertFails(large, TOO_LARGE, "allowed are 1000");
    done(first);
    done(planes.put("b", content(600_000)));
  }

  @Test
  void anOperationThatCouldNeverBeAdmittedIsTooLargeAndItsFailureNamesBothOptions() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setMaxDocumentBytes(8 << 20));
    String both = "inFlightBytes is 1048576, maxDocumentBytes is 8388608";
    done(cars.put("a", content(1_000)));
    assertFails(cars.put("a", content(LARGER_BYTES)), TOO_LARGE, both);
    assertFails(cars.merge("a", content(LARGER_BYTES)), TOO_LARGE, both);
    JsonObject step =
        new JsonObject().put("op", "add").put("path", "/t").put("value", "x".repeat(LARGER_BYTES));
    assertFails(cars.patch("a", new JsonArray().add(step)), TOO_LARGE, both);
    assertThat(done(cars.get("a")).version()).isEqualTo(1);
    // Just fits, beside nothing else.
    assertThat(done(cars.put("a", content((int) IN_FLIGHT_BYTES - 1_000))).version()).isEqualTo(2);
  }

  @Test
  void aValidatorMayMakeADocumentSmaller() {
    FactoryRules rules = new FactoryRules().setValidator((current, next) -> next.remove("text"));
    DocumentFactory cars = factory("cars", new FactoryOptions().setMaxDocumentBytes(1_000), rules);
    assertThat(done(cars.put("a", content(2_000))).json()).isEqualTo(json("{}"));
  }

  @Test
  void aBodyOverHttpThatCouldNeverBeAdmittedIsTooLarge() throws IOException {
    factory("cars", new FactoryOptions().setMaxDocumentBytes(8 << 20));
    Router router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    int third = (int) (IN_FLIGHT_BYTES - (16 << 10)) / 3;
    LargePut put = new LargePut(server.actualPort(), "/documents/cars/a");
    String detail =
        "the body has more than "
            + third
            + " bytes, a third of inFlightBytes, which is 1048576; maxDocumentBytes is 8388608";
    put.announced(third + 1).assertProblem(413, TOO_LARGE.code(), detail);
    put.chunk(third + 1).assertProblem(413, TOO_LARGE.code(), detail);
    Await.until("all is given back", () -> documents.stats().inFlightBytes() == 0);
    assertThat(documents.stats().changes()).isZero();
    // The longest body that is let in is written too.
    put.whole(third).assertStatus(201);
  }
}
