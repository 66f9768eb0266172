package dev.weir.cluster.log;

import static dev.weir.cluster.log.TestBatches.append;
import static dev.weir.cluster.log.TestBatches.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of several groups in one environment: each behaves as one that is alone. */
class SharedLogTest extends TransactionLogContract {
  @TempDir Path directory;
  private LogStore store;

  @Override
  TransactionLog open() {
    store = store == null ? new LogStore(directory) : store;
    return store.open("g");
  }

  @Test
  void theLogsOfGroupsWhoseNamesBeginAlikeAreApart() {
    List<String> names = List.of("g.1", "g-1", "gg", "g1", "G");
    List<JeTransactionLog> logs = names.stream().map(store::open).toList();
    for (int i = 0; i < logs.size(); i++) {
      append(logs.get(i), i + 1, 10 + 2 * i);
      save(logs.get(i), new LogEnd(i + 1, 10), i, 1_000);
    }
    logs.get(0).reset(new LogEnd(9, 100));
    logs.get(1).truncate(4);
    assertThat(logs).extracting(JeTransactionLog::diskId).doesNotHaveDuplicates();
    logs.forEach(JeTransactionLog::close);
    log.close();
    log = open();
    assertThat(log.end()).isEqualTo(LogEnd.EMPTY);
    for (int i = 2; i < names.size(); i++) {
      try (JeTransactionLog one = store.open(names.get(i))) {
        assertHolds(one, i + 1, 0, 10 + 2 * i);
        assertThat(state(one)).isEqualTo(i);
      }
    }
    try (JeTransactionLog reset = store.open(names.get(0));
        JeTransactionLog cut = store.open(names.get(1))) {
      assertThat(reset.end()).isEqualTo(LogEnd.EMPTY);
      assertHolds(cut, 2, 0, 4);
    }
  }

  @Test
  void aLogThatIsDeletedBeginsAnewAndTheOthersStay() {
    JeTransactionLog other = store.open("other");
    append(other, 3, 20);
    other.save(new GroupRecord(3, 0, 3, 1, 1));
    long disk = other.diskId();
    other.close();
    append(log, 1, 4);
    store.delete("other");
    store.delete("none");
    try (JeTransactionLog again = store.open("other")) {
      assertThat(again.end()).isEqualTo(LogEnd.EMPTY);
      assertThat(again.record()).isEqualTo(GroupRecord.NONE);
      assertThat(again.diskId()).isNotEqualTo(disk);
    }
    log.close();
    store.delete("other");
    log = open();
    assertHolds(log, 1, 0, 4);
  }

  @Test
  void aLogIsFoundAgainWhileOthersStayOpen() {
    JeTransactionLog other = store.open("other");
    append(other, 3, 20);
    other.save(new GroupRecord(3, 0, 3, 1, 1));
    long disk = other.diskId();
    other.close();
    append(log, 1, 4);
    try (JeTransactionLog again = store.open("other")) {
      assertHolds(again, 3, 0, 20);
      assertThat(again.record()).isEqualTo(new GroupRecord(3, 0, 3, 1, 1));
      assertThat(again.diskId()).isEqualTo(disk);
      append(again, 4, 24);
      again.force(AckLevel.FLUSHED);
    }
    assertHolds(log, 1, 0, 4);
  }

  @Test
  void damageInOneLogLeavesTheOthersAlone() {
    JeTransactionLog damaged = store.open("damaged");
    append(damaged, 1, 10);
    damaged.close();
    log.close();
    SharedEnvironment environment = new SharedEnvironment(directory.resolve(LogStore.SHARED));
    environment.use();
    assertThat(environment.names("damaged/batches.")).hasSize(1);
    assertThatThrownBy(
            () -> {
              // The first batch is gone.
              LogEnvironment one = new LogEnvironment(environment, "damaged/");
              try (BatchTable table = new BatchTable(one, 0)) {
                table.trimTo(2);
                table.deleteTrimmed(1);
              } finally {
                one.close();
              }
              log = open();
              append(log, 1, 10);
              store.open("damaged");
            })
        .isInstanceOf(LogException.class)
        .hasMessageContaining("its first batch, at 0, is missing")
        .hasMessageContaining(directory.resolve(LogStore.SHARED).toString());
    append(log, 1, 20);
    log.force(AckLevel.FLUSHED);
    assertHolds(log, 1, 0, 20);
  }

  @Test
  void aGroupWithADirectoryOfVersion01KeepsIt() throws IOException {
    Path old = directory.resolve("old");
    Files.createDirectory(old);
    Files.copy(Path.of("src/test/resources/old-log/old/00000000.jdb"), old.resolve("00000000.jdb"));
    try (JeTransactionLog found = store.open("old")) {
      assertThat(found.end().position()).isEqualTo(20);
      assertThat(TestBatches.read(found)).isNotEmpty();
      append(found, found.end().epoch(), 24);
    }
    try (GroupLogReader reader = GroupLogReader.open(old)) {
      assertThat(reader.end()).isEqualTo(24);
    }
    try (JeTransactionLog fresh = store.open("fresh")) {
      append(fresh, 1, 6);
    }
    assertThat(directory.resolve("fresh")).doesNotExist();
    log.close();
    try (GroupLogReader reader = GroupLogReader.open(directory.resolve("fresh"))) {
      assertThat(reader.end()).isEqualTo(6);
    }
    try (JeTransactionLog fresh = LogStore.openExisting(directory.resolve("fresh"))) {
      assertHolds(fresh, 1, 0, 6);
    }
    assertThatThrownBy(() -> LogStore.openExisting(directory.resolve("none")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("there is no log in " + directory.resolve("none"));
    assertThatThrownBy(() -> GroupLogReader.open(directory.resolve("none")))
        .isInstanceOf(IllegalStateException.class);
    log = open();
  }

  @Test
  void aLogInADirectoryOfVersion01IsDeletedAndWhatElseIsThereStays() throws IOException {
    for (String name : List.of("old", "noted")) {
      Path own = Files.createDirectory(directory.resolve(name));
      Files.copy(
          Path.of("src/test/resources/old-log/old/00000000.jdb"), own.resolve("00000000.jdb"));
      store.open(name).close();
    }
    Path note = Files.writeString(directory.resolve("noted").resolve("note.txt"), "of an operator");
    store.delete("old");
    store.delete("noted");
    assertThat(directory.resolve("old")).doesNotExist();
    assertThat(note).exists();
    for (String name : List.of("old", "noted")) {
      try (JeTransactionLog fresh = store.open(name)) {
        assertThat(fresh.end().position()).isZero();
      }
    }
  }

  @Test
  void whatOneLogForcesIsForcedForAllOfThem() throws IOException {
    try (JeTransactionLog a = store.open("a");
        JeTransactionLog b = store.open("b");
        JeTransactionLog c = store.open("c")) {
      for (AckLevel level : List.of(AckLevel.PERSISTED, AckLevel.FLUSHED)) {
        long from = a.end().position();
        append(a, 1, from + 2);
        append(b, 1, from + 2);
        long before = fileBytes();
        a.force(level);
        long written = fileBytes();
        assertThat(written - before).as("both batches").isGreaterThan(2 * 2 * 100);
        append(c, 1, from + 2);
        b.force(level);
        assertThat(fileBytes()).as("nothing is left to write").isEqualTo(written);
        c.force(level);
        assertThat(fileBytes()).isGreaterThan(written);
      }
    }
  }

  private long fileBytes() throws IOException {
    try (var files = Files.list(directory.resolve(LogStore.SHARED))) {
      return files
          .filter(file -> file.toString().endsWith(".jdb"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  @Test
  void theMemberHasOneEnvironmentAndOneThreadThatDeletes() throws IOException {
    List<JeTransactionLog> logs =
        List.of("a", "b", "c", "d").stream().map(name -> store.open(name)).toList();
    assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
        .filteredOn(name -> name.startsWith("weir-"))
        .containsExactly("weir-log-" + LogStore.SHARED);
    logs.forEach(each -> append(each, 1, 4_000));
    for (JeTransactionLog each : logs) {
      save(each, new LogEnd(1, 3_000), 1, 10);
      each.trim(3_000);
      assertHolds(each, 1, 3_000, 4_000);
    }
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(1);
    }
    logs.forEach(JeTransactionLog::close);
  }
}
