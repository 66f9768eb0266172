package dev.weir.state;

import static dev.weir.state.DocumentFailure.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import org.junit.jupiter.api.Test;

class ExpiryTest extends StateTestBase {
  private static final long HOUR_MS = 3_600_000;

  @Override
  DocumentsOptions options() {
    return super.options().setExpirySweepMs(10);
  }

  private static boolean isGone(DocumentFactory factory, String key) {
    return factory.get(key).failed();
  }

  @Test
  void aDocumentIsNotFoundWhenItHasExpired() {
    DocumentFactory sessions = factory("sessions");
    done(sessions.put("a", json("{}"), WriteOptions.DEFAULT.expireAfterMs(1)));
    Await.until("it expires", () -> isGone(sessions, "a"));
    assertFails(sessions.merge("a", json("{}")), NOT_FOUND, "document a does not exist");
  }

  @Test
  void theVersionOfAnExpiredDocumentNeverComesAgain() {
    DocumentFactory sessions = factory("sessions");
    done(sessions.put("a", json("{}")));
    done(sessions.put("a", json("{}"), WriteOptions.DEFAULT.expireAfterMs(1)));
    Await.until("it expires", () -> isGone(sessions, "a"));
    assertThat(done(sessions.create("a", json("{}"))).version()).isEqualTo(3);
  }

  @Test
  void expiredDocumentsAreDeletedFromTheDisk() {
    DocumentFactory sessions = factory("sessions", new FactoryOptions().setExpiryMs(1));
    for (int i = 0; i < 3_000; i++) {
      sessions.put("key-" + i, json("{}"));
    }
    done(sessions.put("stays", json("{}"), WriteOptions.DEFAULT.expireAfterMs(0)));
    Await.until("3,000 are deleted", () -> documents.stats().changes() == 6_001);
    assertThat(done(sessions.get("stays")).expiresAtMs()).isZero();
  }

  @Test
  void aPatchKeepsTheTimeAndAPutSetsItAnew() {
    DocumentFactory sessions = factory("sessions", new FactoryOptions().setExpiryMs(HOUR_MS));
    long first = done(sessions.put("a", json("{}"))).expiresAtMs();
    assertThat(first).isGreaterThan(System.currentTimeMillis());
    assertThat(done(sessions.merge("a", json("{'n':1}"))).expiresAtMs()).isEqualTo(first);
    WriteOptions longer = WriteOptions.DEFAULT.expireAfterMs(2 * HOUR_MS);
    assertThat(done(sessions.merge("a", json("{}"), longer)).expiresAtMs())
        .isGreaterThanOrEqualTo(first + HOUR_MS);
    WriteOptions never = WriteOptions.DEFAULT.expireAfterMs(0);
    assertThat(done(sessions.merge("a", json("{}"), never)).expiresAtMs()).isZero();
    assertThat(done(sessions.put("a", json("{}"))).expiresAtMs()).isGreaterThanOrEqualTo(first);
  }

  @Test
  void expiryOutlivesTheStore() {
    done(factory("sessions").put("a", json("{}"), WriteOptions.DEFAULT.expireAfterMs(1)));
    reopen();
    DocumentFactory sessions = factory("sessions");
    Await.until("it expires", () -> isGone(sessions, "a"));
  }
}
