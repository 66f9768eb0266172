package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.OperationStatus;
import dev.weir.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory in which another program keeps its own files. */
class ForeignDirectoryTest extends DataDirectoryTestBase {
  private static final DatabaseEntry KEY = new DatabaseEntry(new byte[] {1});

  @BeforeEach
  void otherProgram() throws IOException {
    Files.createDirectory(data());
    DatabaseEntry value = new DatabaseEntry("balance".getBytes(StandardCharsets.UTF_8));
    try (Environment environment = open();
        Database accounts = accounts(environment)) {
      accounts.put(null, KEY, value);
    }
  }

  private Environment open() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true).setTransactional(true);
    return new Environment(data().toFile(), config);
  }

  private static Database accounts(Environment environment) {
    DatabaseConfig config = new DatabaseConfig();
    config.setAllowCreate(true).setTransactional(true);
    return environment.openDatabase(null, "accounts", config);
  }

  private Map<String, String> content() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(data())) {
      for (Path file : files.toList()) {
        content.put("" + file, Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return content;
  }

  @Test
  void isRefusedByStoreAndToolAndNotTouched() throws IOException {
    Map<String, String> before = content();

    assertThatThrownBy(this::openStore)
        .isInstanceOfSatisfying(
            QueueException.class, e -> assertThat(e.reason()).isEqualTo(Reason.DIRECTORY_UNUSABLE))
        .hasMessageStartingWith("directory " + data() + " holds files of another program")
        .hasMessageNotContaining("\n");
    for (String command : new String[] {"list", "verify", "compact", "import"}) {
      assertThat(ToolRun.of(command, data()).refused(3)).contains("holds files of another program");
    }

    assertThat(content().equals(before)).as("the directory is as before").isTrue();
    DatabaseEntry found = new DatabaseEntry();
    try (Environment environment = open();
        Database accounts = accounts(environment)) {
      assertThat(accounts.get(null, KEY, found, null)).isEqualTo(OperationStatus.SUCCESS);
    }
    assertThat(new String(found.getData(), StandardCharsets.UTF_8)).isEqualTo("balance");
  }

  @ParameterizedTest
  @ValueSource(strings = {"000001.seg", "salvage/mine", "salvaged/mine"})
  void whatAStoreWouldTakeForItsOwnIsNotDeleted(String name) throws IOException {
    Path other = directory.resolve("other");
    Path mine = other.resolve(name);
    Files.createDirectories(mine.getParent());
    Files.writeString(mine, "mine");

    assertThatThrownBy(() -> QueueStore.open(storeOptions().setDirectory(other)))
        .hasMessageStartingWith("directory " + other + " holds files of another program");

    assertThat(mine).hasContent("mine");
  }

  @Test
  void isOpenedIfItIsMarkedAsAStore() throws IOException {
    Files.writeString(data().resolve("weir.format"), "3\n");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 3, 10));
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(3);
    }
  }
}
