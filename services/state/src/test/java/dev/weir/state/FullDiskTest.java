package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file system of 64 MB that is really full. */
class FullDiskTest extends StateTestBase {
  private SmallDisk disk;

  @Override
  @BeforeEach
  void start() {
    try {
      disk = SmallDisk.mount(directory.resolve("disk"), 64);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    super.start();
  }

  @Override
  DocumentsOptions options() {
    return super.options()
        .setDirectory(directory.resolve("disk").resolve("documents").toString())
        .setLogFileBytes(1 << 20)
        .setCacheBytes(4 << 20)
        .setMinFreeBytes(16 << 20)
        .setExpirySweepMs(10);
  }

  @Override
  @AfterEach
  void stop() {
    try {
      super.stop();
    } finally {
      disk.unmount();
    }
  }

  @Test
  void aFullDiskRefusesWritesAndLosesNothing() throws IOException {
    DocumentFactory cars = factory("cars");
    DocumentFactory lazy = factory("lazy", new FactoryOptions().setCommitIntervalMs(10));
    done(cars.put("a", json("{'n':1}")));
    Path foreign = disk.fillUp(4 << 20);
    done(lazy.put("a", json("{'n':1}")));
    assertFails(cars.put("a", json("{'n':2}")), DocumentFailure.DISK_FULL, "free some space");
    assertFails(cars.create("b", json("{}")), DocumentFailure.DISK_FULL, "free some space");
    assertThat(done(cars.get("a")).json()).isEqualTo(json("{'n':1}"));
    assertFails(cars.get("b"), DocumentFailure.NOT_FOUND, "b");
    assertThat(done(lazy.get("a")).json()).isEqualTo(json("{'n':1}"));
    assertThat(documents.stats().fault()).isEqualTo(DocumentFailure.DISK_FULL);

    Files.delete(foreign);
    Await.until("what was acknowledged is written", () -> documents.stats().changes() == 2);
    assertThat(documents.stats().fault()).isNull();
    assertThat(done(cars.put("a", json("{'n':3}"))).version()).isEqualTo(2);
    reopen();
    assertThat(done(factory("lazy").get("a")).json()).isEqualTo(json("{'n':1}"));
    assertThat(done(factory("cars").get("a")).json()).isEqualTo(json("{'n':3}"));
  }

  @Test
  void theFaultEndsWithItsCauseThoughNobodyWrites() throws IOException {
    DocumentFactory cars = factory("cars");
    done(cars.put("a", json("{'n':1}")));
    Path foreign = disk.fillUp(4 << 20);
    assertFails(cars.put("a", json("{'n':2}")), DocumentFailure.DISK_FULL, "free some space");
    assertThat(documents.stats().fault()).isEqualTo(DocumentFailure.DISK_FULL);

    Files.delete(foreign);
    Await.until("the fault is over", () -> documents.stats().fault() == null);
    assertThat(done(cars.put("a", json("{'n':3}"))).version()).isEqualTo(2);
  }

  @Test
  void whatExpiresOnAFullDiskIsDeletedWhenThereIsRoomAndNotTriedBefore() throws IOException {
    DocumentFactory cars = factory("cars");
    DocumentFactory sessions = factory("sessions");
    done(cars.put("a", json("{}")));
    done(sessions.put("s", json("{}"), WriteOptions.DEFAULT.expireAfterMs(1_000)));
    Path foreign = disk.fillUp(4 << 20);
    assertFails(cars.put("a", json("{}")), DocumentFailure.DISK_FULL, "free some space");
    Await.until("the session is over", () -> isOver(sessions));
    // Each waits for the next try of a commit, and the sweep looks more often.
    assertFails(cars.put("a", json("{}")), DocumentFailure.DISK_FULL, "free some space");
    long failed = sessions.stats().failed();
    for (int i = 0; i < 3; i++) {
      assertFails(cars.put("a", json("{}")), DocumentFailure.DISK_FULL, "free some space");
    }
    assertThat(sessions.stats().failed()).as("failed deletions").isEqualTo(failed);

    Files.delete(foreign);
    Await.until("the session is deleted", () -> sessions.stats().documents() == 0);
  }

  private static boolean isOver(DocumentFactory sessions) {
    return Futures.result("a count", sessions.count(new Query())) == 0;
  }
}
