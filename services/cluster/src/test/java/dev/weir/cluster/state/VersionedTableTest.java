package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VersionedTableTest {
  private final VersionedTable<String> table = new VersionedTable<>();

  @Test
  void whatComesAndGoesDuringAViewLeavesNothingBehind() {
    table.put(1, "before");
    LongMap<String> view = table.freeze();
    for (long key = 2; key < 1_000; key++) {
      table.put(key, "short");
      table.remove(key);
    }
    table.thaw(view);
    assertThat(table.canFreeze()).as("there is nothing to move back").isTrue();
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.get(2)).isNull();
  }

  @Test
  void whatWasThereBeforeAViewIsGoneWhenItIsRemovedDuringIt() {
    table.put(1, "before");
    LongMap<String> view = table.freeze();
    table.remove(1);
    assertThat(table.get(1)).isNull();
    assertThat(view.get(1)).isEqualTo("before");
    table.put(1, "again");
    table.remove(1);
    assertThat(table.get(1)).isNull();
    table.thaw(view);
    table.step();
    assertThat(table.get(1)).isNull();
    assertThat(table.size()).isZero();
  }
}
