package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import org.junit.jupiter.api.Test;

class CommitIntervalTest extends StateTestBase {
  private static final FactoryOptions NEVER = new FactoryOptions().setCommitIntervalMs(3_600_000);

  @Test
  void aWriteIsAcknowledgedAndReadBeforeItIsCommitted() {
    DocumentFactory cars = factory("cars", NEVER);
    done(cars.put("a", json("{'n':1}")));
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
    assertThat(done(cars.put("a", json("{'n':2}"))).version()).isEqualTo(2);
    assertThat(documents.stats().changes()).isZero();
  }

  @Test
  void closingCommitsWhatIsAcknowledged() {
    DocumentFactory cars = factory("cars", NEVER);
    done(cars.put("a", json("{'n':1}")));
    done(cars.put("b", json("{'n':1}")));
    done(cars.delete("b"));
    reopen();
    cars = factory("cars", NEVER);
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
    assertFails(cars.get("b"), DocumentFailure.NOT_FOUND, "b");
  }

  @Test
  void aWriteIsCommittedWhenTheIntervalIsOver() {
    DocumentFactory cars = factory("cars", new FactoryOptions().setCommitIntervalMs(20));
    done(cars.put("a", json("{}")));
    Await.until("it is committed", () -> documents.stats().changes() == 1);
  }

  @Test
  void aCommitOfAnotherFactoryTakesItAlong() {
    DocumentFactory cars = factory("cars", NEVER);
    DocumentFactory safe = factory("safe", new FactoryOptions().setDurability(Durability.MACHINE));
    done(cars.put("a", json("{}")));
    done(safe.put("a", json("{}")));
    assertThat(documents.stats().changes()).isEqualTo(2);
    assertThat(documents.stats().commits()).isEqualTo(1);
  }

  @Test
  void whatIsNotCommittedDoesNotLeaveTheMemory() {
    stop();
    start();
    DocumentFactory cars = factory("cars", NEVER);
    String text = "x".repeat(1_000);
    for (int i = 0; i < 1_000; i++) {
      done(cars.put("key-" + i, json("{'text':'" + text + "'}")));
    }
    for (int i = 0; i < 1_000; i++) {
      done(cars.get("key-" + i));
    }
    assertThat(cars.stats().residentDocuments()).isEqualTo(1_000);
  }
}
