package dev.weir.group.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.group.ShardOptions;
import dev.weir.group.placement.ShardPlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredLayoutTest {
  /** What version 0.1 stores. */
  private static final String FIRST_VERSION =
      "{\"version\":1,\"shards\":4,\"copies\":1,\"members\":[\"a\",\"b\"]}";

  @TempDir private Path directory;

  private final ShardLayout layout =
      ShardLayout.of(
          "orders", new ShardOptions().setMembers(List.of("a", "b")).setShards(4).setCopies(1));

  private StoredLayout stored(String self) {
    return new StoredLayout(directory, layout, self);
  }

  private Path file() {
    return directory.resolve("orders~shards");
  }

  @Test
  void aMemberBeginsWithTheShardsOfTheLayout() {
    StoredLayout a = stored("a");
    assertThat(a.check()).isTrue();
    assertThat(stored("a").check()).isFalse();
    assertThat(a.held().keySet()).hasSize(2);
    assertThat(a.held().values()).containsOnly(ShardPlaces.of(List.of("a")));
    assertThat(stored("x").held()).isEmpty();
  }

  @Test
  void aFileOfTheFirstVersionIsReadAndKeptUntilSomethingMoves() throws IOException {
    Files.writeString(file(), FIRST_VERSION);
    StoredLayout a = stored("a");
    assertThat(a.check()).isFalse();
    int shard = a.held().keySet().iterator().next();
    a.hold(shard, ShardPlaces.of(List.of("a")));
    assertThat(file()).hasContent(FIRST_VERSION);
    a.hold(shard, ShardPlaces.of(List.of("a", "", "b")));
    assertThat(Files.readString(file())).contains("\"version\" : 2");
  }

  @Test
  void whatMovedIsKnownAfterARestart() {
    StoredLayout a = stored("a");
    a.check();
    int own = a.held().keySet().iterator().next();
    int other = stored("b").held().keySet().iterator().next();
    ShardPlaces places = new ShardPlaces(List.of("b", "a", "w"), "w");
    a.hold(other, places);
    a.drop(own);
    StoredLayout again = stored("a");
    again.check();
    assertThat(again.held()).containsEntry(other, places).doesNotContainKey(own);
    assertThat(again.dropped()).isEqualTo(Set.of(own));
    again.deleted(own);
    StoredLayout last = stored("a");
    last.check();
    assertThat(last.held()).isEqualTo(again.held());
    assertThat(last.dropped()).isEmpty();
  }

  @Test
  void aServiceKeepsItsWitnesses() throws IOException {
    ShardOptions options = new ShardOptions().setMembers(List.of("a", "b", "c")).setCopies(2);
    ShardLayout without = ShardLayout.of("orders", options);
    ShardLayout with = ShardLayout.of("orders", options.setWitness(true));
    StoredLayout began = new StoredLayout(directory, with, "a");
    assertThat(began.check()).isTrue();
    assertThat(began.held()).as("each shard has three members").hasSize(with.shards());
    assertThat(new StoredLayout(directory, with, "a").check()).isFalse();
    assertThatThrownBy(() -> new StoredLayout(directory, without, "a").check())
        .hasMessageContaining("witness is false, allowed is true");
  }

  @Test
  void aFileOfALaterVersionIsRefused() throws IOException {
    Files.writeString(file(), FIRST_VERSION.replace("\"version\":1", "\"version\":4"));
    assertThatThrownBy(() -> stored("a").check())
        .hasMessageContaining("version is 3, allowed is 4");
  }
}
