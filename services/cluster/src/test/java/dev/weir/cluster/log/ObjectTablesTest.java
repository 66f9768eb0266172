package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.protocol.LogEnd;
import dev.weir.testing.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tables of objects a log has. */
class ObjectTablesTest {
  private static final long OLD = 1;
  private static final long NEW = 2;

  @TempDir private Path directory;
  private SharedEnvironment environment;
  private JeTransactionLog log;
  private StoredObjects objects;

  @BeforeEach
  void open() {
    environment = new SharedEnvironment(directory);
    environment.use();
    log = JeTransactionLog.open(environment, "");
    objects = log.objects(true);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private List<String> tables() {
    return environment.names(JeObjects.OBJECTS);
  }

  private List<String> undo() {
    return environment.names(JeObjects.UNDO);
  }

  private void awaitOne() {
    Await.until(
        () -> "one table of each is left of " + tables() + undo(),
        () -> tables().size() == 1 && undo().size() == 1);
  }

  private static void put(StoredObjects.Arrival arrival, long id) {
    arrival.put(id, new byte[] {(byte) id});
  }

  @Test
  void whatIsDiscardedLeavesNoTable() {
    StoredObjects.Arrival arrival = objects.arrive();
    put(arrival, NEW);
    assertThat(tables()).hasSize(2);
    arrival.discard();
    awaitOne();
    assertThat(objects.has(NEW)).isFalse();
  }

  @Test
  void whatCameBeforeTheProcessEndedLeavesNoTable() {
    put(objects.arrive(), NEW);
    close();
    open();
    assertThat(tables()).hasSize(1);
  }

  @Test
  void whatCameTakesThePlaceOfWhatWasThereHoweverOftenItBegan() {
    objects.put(OLD, 0, new byte[1], 1);
    String before = tables().get(0);
    StoredObjects.Arrival arrival = objects.arrive();
    for (int i = 0; i < 20; i++) {
      put(arrival, OLD + NEW);
      arrival = objects.arrive();
    }
    put(arrival, NEW);
    arrival.complete();
    log.reset(new LogEnd(1, 10));
    awaitOne();
    assertThat(tables()).doesNotContain(before);
    assertThat(objects.get(NEW)).containsExactly((byte) NEW);
    assertThat(objects.has(OLD)).isFalse();
    assertThat(objects.has(OLD + NEW)).isFalse();
    log.checkUsable();
  }
}
