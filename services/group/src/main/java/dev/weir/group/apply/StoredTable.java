package dev.weir.group.apply;

import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.options.Checks;

/** A table whose values are in the state under the name of the table, a 0 and the key. */
final class StoredTable<V> implements Table<V> {
  private final ChangeSet changes;
  private final String prefix;
  private final Serde<V> serde;

  StoredTable(ChangeSet changes, String name, Serde<V> serde) {
    this.changes = changes;
    if (Checks.notNull("name", name).isEmpty() || name.chars().anyMatch(each -> each < ' ')) {
      throw Checks.notAllowed("name", name, "a text without control characters");
    }
    Checks.encodable("name", name);
    this.prefix = name + '\0';
    this.serde = Checks.notNull("serde", serde);
  }

  @Override
  public V get(String key) {
    byte[] bytes = changes.get(name(key));
    return bytes == null ? null : serde.decode(bytes);
  }

  @Override
  public void put(String key, V value) {
    changes.put(name(key), serde.encode(Checks.notNull("value", value)));
  }

  @Override
  public void remove(String key) {
    changes.remove(name(key));
  }

  private String name(String key) {
    return prefix + Checks.encodable("key", Checks.notNull("key", key));
  }
}
