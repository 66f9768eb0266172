package dev.weir.state;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VersionHistoryTest extends StateTestBase {
  private static final FactoryOptions TWO_EARLIER = new FactoryOptions().setHistoryVersions(2);

  @Override
  DocumentsOptions options() {
    return super.options().setExpirySweepMs(10);
  }

  private static List<Long> kept(DocumentFactory factory, String key) {
    return done(factory.versions(key)).stream().map(DocumentVersion::version).toList();
  }

  private static JsonObject n(int n) {
    return new JsonObject().put("n", n);
  }

  @Test
  void earlierVersionsAreReadAndListedWithTheirTimeAndTheOldestGo() {
    DocumentFactory cars = factory("cars", TWO_EARLIER);
    long startMs = System.currentTimeMillis();
    for (int i = 1; i <= 5; i++) {
      done(cars.put("a", n(i)));
    }
    // Keys that begin alike have nothing to do with each other.
    done(cars.put("a\0", n(7)));
    done(cars.put("aa", n(7)));
    assertThat(kept(cars, "a")).containsExactly(5L, 4L, 3L);
    for (int i = 3; i <= 5; i++) {
      Document found = done(cars.get("a", i));
      assertThat(found.json()).isEqualTo(n(i));
      assertThat(found.version()).isEqualTo(i);
    }
    List<Long> times =
        done(cars.versions("a")).stream().map(DocumentVersion::timeMs).sorted().toList();
    assertThat(times).allMatch(time -> time >= startMs && time <= System.currentTimeMillis());
    assertFails(cars.get("a", 2), NOT_FOUND, "document a has version 5, and version 2 is not kept");
    assertFails(cars.get("a", 6), NOT_FOUND, "document a has version 5, and version 6 is not kept");
    assertFails(cars.get("b", 1), NOT_FOUND, "document b does not exist");
    assertFails(cars.versions("b"), NOT_FOUND, "document b does not exist");
    assertThatThrownBy(() -> cars.get("a", 0)).hasMessageStartingWith("version is 0, allowed is 1");
  }

  @Test
  void keptVersionsHaveTheFormatAndTheExpiryInWhichTheyWereWritten() {
    DocumentFactory cars = factory("cars", TWO_EARLIER);
    DocumentBody binary = DocumentBody.of(n(1), DocumentFormat.CBOR);
    long expiresAtMs =
        done(cars.put("a", binary, WriteOptions.DEFAULT.expireAfterMs(3_600_000))).expiresAtMs();
    done(cars.put("a", n(2)));
    Document first = done(cars.get("a", 1));
    assertThat(first.format()).isEqualTo(DocumentFormat.CBOR);
    assertThat(first.buffer(DocumentFormat.CBOR)).isEqualTo(binary.buffer());
    assertThat(first.expiresAtMs()).isEqualTo(expiresAtMs);
  }

  @Test
  void aDeletionDeletesTheVersionsToo() {
    DocumentFactory cars = factory("cars", TWO_EARLIER);
    done(cars.put("a", n(1)));
    done(cars.put("a", n(2)));
    done(cars.delete("a"));
    assertFails(cars.get("a", 1), NOT_FOUND, "document a does not exist");
    done(cars.put("a", n(3)));
    assertThat(kept(cars, "a")).containsExactly(3L);
    assertFails(cars.get("a", 2), NOT_FOUND, "version 2 is not kept");
  }

  @Test
  void anExpiryDeletesTheVersionsTooAlsoIfTheKeyIsWrittenBeforeTheSweep() {
    DocumentFactory cars = factory("cars", TWO_EARLIER);
    done(cars.put("a", n(1)));
    done(cars.put("a", n(2), WriteOptions.DEFAULT.expireAfterMs(1)));
    Await.until("it expires", () -> cars.get("a").failed());
    assertFails(cars.get("a", 1), NOT_FOUND, "document a does not exist");
    assertThat(done(cars.put("a", n(3))).version()).isEqualTo(3);
    assertThat(kept(cars, "a")).containsExactly(3L);
  }

  @Test
  void allVersionsOfOneCommitAreKept() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setHistoryVersions(500));
    List<Future<?>> all = new ArrayList<>();
    for (int i = 1; i <= 2_000; i++) {
      all.add(cars.put("a", n(i)));
    }
    done(Future.join(all));
    assertThat(documents.stats().changes()).isGreaterThan(documents.stats().commits());
    assertThat(kept(cars, "a"))
        .containsExactlyElementsOf(LongStream.range(0, 501).mapToObj(i -> 2_000 - i).toList());
    for (int i = 1_500; i <= 2_000; i += 50) {
      assertThat(done(cars.get("a", i)).json()).isEqualTo(n(i));
    }
  }

  @Test
  void versionsOutliveTheStoreAndFollowTheOption() {
    DocumentFactory cars = factory("cars", TWO_EARLIER);
    for (int i = 1; i <= 4; i++) {
      done(cars.put("a", n(i)));
    }
    reopen();
    cars = factory("cars", new FactoryOptions().setHistoryVersions(1));
    assertThat(kept(cars, "a")).containsExactly(4L, 3L, 2L);
    done(cars.put("a", n(5)));
    assertThat(kept(cars, "a")).containsExactly(5L, 4L);
    reopen();
    cars = factory("cars");
    assertFails(cars.versions("a"), BAD_REQUEST, "factory cars keeps no versions");
    assertThat(done(cars.get("a", 5)).json()).isEqualTo(n(5));
    assertFails(cars.get("a", 4), NOT_FOUND, "version 4 is not kept");
    reopen();
    cars = factory("cars", TWO_EARLIER);
    assertThat(kept(cars, "a")).isEmpty();
    done(cars.put("a", n(6)));
    assertThat(kept(cars, "a")).containsExactly(6L);
  }

  @Test
  void aFactoryInMemoryKeepsNoVersions() {
    FactoryOptions options = new FactoryOptions(TWO_EARLIER).setPersisted(false);
    assertThat(Futures.failure("factory", documents.factory("cars", options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("historyVersions is 2, allowed is 0 in factory cars, which is not persisted");
  }

  @Test
  void aFactoryThatIsOpenIsNotOpenedAgainAndKeepsItsVersions() {
    DocumentFactory cars = factory("cars", TWO_EARLIER);
    done(cars.put("a", n(1)));
    assertThat(Futures.failure("factory", documents.factory("cars", new FactoryOptions())))
        .hasMessage("factory cars is open already");
    assertThat(kept(cars, "a")).containsExactly(1L);
  }

  @Test
  void aCommitIntervalListsWhatIsCommitted() {
    FactoryOptions options = new FactoryOptions(TWO_EARLIER).setCommitIntervalMs(3_600_000);
    DocumentFactory cars = factory("cars", options);
    done(cars.put("a", n(1)));
    done(cars.put("a", n(2)));
    assertThat(kept(cars, "a")).isEmpty();
    reopen();
    assertThat(kept(factory("cars", options), "a")).containsExactly(2L, 1L);
  }

  @Test
  void readingsCountAsOperations() {
    DocumentFactory cars = factory("cars", TWO_EARLIER);
    done(cars.put("a", n(1)));
    done(cars.get("a", 1));
    done(cars.versions("a"));
    assertFails(cars.get("a", 9), NOT_FOUND, "not kept");
    assertThat(cars.stats().operations()).isEqualTo(4);
    assertThat(cars.stats().failed()).isEqualTo(1);
    assertThat(cars.stats().reads()).isEqualTo(3);
  }
}
