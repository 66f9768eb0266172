package dev.weir.state.je;

import static org.assertj.core.api.Assertions.assertThat;

import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import dev.weir.state.FactoryOptions;
import dev.weir.state.index.IndexField;
import dev.weir.state.table.Range;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabasesTest {
  @TempDir private Path directory;
  private Environment environment;
  private Databases databases;

  @BeforeEach
  void start() {
    environment =
        new Environment(directory.toFile(), JeSettings.environment(1 << 20, 1 << 20, 1 << 20));
    databases = new Databases(environment, new HashMap<>());
  }

  @AfterEach
  void stop() {
    databases.close();
    environment.close();
  }

  private void restart() {
    stop();
    start();
  }

  private int entries() {
    List<byte[]> entries = new ArrayList<>();
    databases.factory("cars").scanIndex(new Range(new byte[0], null, false), entries::add);
    return entries.size();
  }

  private void put(int number, String path) {
    byte[] entry = new IndexField(number, path).prefix(new byte[] {1, 2, 3});
    databases
        .factory("cars")
        .index()
        .put(null, new DatabaseEntry(entry), new DatabaseEntry(new byte[0]));
  }

  @Test
  void entriesThatAKillHasLeftOfAFieldThatIsNoLongerIndexedAreRemovedAtTheNextStart() {
    databases.openFactory("cars", new FactoryOptions().setIndexes(List.of("color", "price")));
    FactoryOptions next = new FactoryOptions().setIndexes(List.of("price"));
    databases.openFactory("cars", next);
    put(1, "color");
    put(2, "price");
    restart();

    databases.openFactory("cars", next);
    assertThat(entries()).isEqualTo(1);
  }
}
