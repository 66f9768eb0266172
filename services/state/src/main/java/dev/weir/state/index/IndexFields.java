package dev.weir.state.index;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** The indexed fields of a factory. */
public final class IndexFields {
  public static final IndexFields NONE = new IndexFields(List.of());

  private final List<IndexField> fields;

  public IndexFields(List<IndexField> fields) {
    this.fields = List.copyOf(fields);
  }

  /** The fields of a factory that has no numbers of fields on disk. */
  public static IndexFields of(List<String> paths) {
    List<IndexField> fields = new ArrayList<>();
    new LinkedHashSet<>(paths).forEach(path -> fields.add(new IndexField(fields.size() + 1, path)));
    return new IndexFields(fields);
  }

  public List<IndexField> all() {
    return fields;
  }

  /** Null if there is no index on the path. */
  public IndexField find(String path) {
    for (IndexField field : fields) {
      if (field.path().equals(path)) {
        return field;
      }
    }
    return null;
  }

  public boolean isEmpty() {
    return fields.isEmpty();
  }

  /**
   * The entries of a document.
   *
   * @param document null for none
   */
  public List<byte[]> entries(byte[] key, JsonObject document) {
    List<byte[]> entries = new ArrayList<>();
    if (document != null) {
      for (IndexField field : fields) {
        byte[] entry = field.entry(document, key);
        if (entry != null) {
          entries.add(entry);
        }
      }
    }
    return entries;
  }
}
