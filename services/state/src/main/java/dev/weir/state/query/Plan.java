package dev.weir.state.query;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.state.Document;
import dev.weir.state.DocumentException;
import dev.weir.state.Query;
import dev.weir.state.index.IndexField;
import dev.weir.state.index.IndexFields;
import dev.weir.state.index.IndexValue;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * How a query is run: which part of an index, or of the documents, is read, from where and in which
 * direction.
 *
 * @param field whose index is read; null for the documents by their keys
 * @param bounds what is read of it; null for all documents
 * @param after the entry or the key behind which the page begins; null for the first page
 * @param mark a checksum of what the query asks for, which a cursor of it has too
 */
public record Plan(
    Filter filter,
    IndexField field,
    Bounds bounds,
    boolean descending,
    byte[] after,
    int limit,
    int mark) {

  /**
   * Makes a plan.
   *
   * @throws DocumentException {@code BAD_REQUEST} for a filter that cannot be read, a field without
   *     an index, or a cursor of another query
   */
  public static Plan of(Query query, String factory, IndexFields fields) {
    Filter filter = filter(query.getFilter(), factory, fields);
    if (query.getSort() != null) {
      indexed(query.getSort(), factory, fields);
    }
    IndexField field =
        query.getSort() == null ? best(filter, fields) : fields.find(query.getSort());
    Bounds bounds = field == null ? null : filter.bounds(field);
    if (field != null && bounds == null) {
      bounds = Bounds.of(field.prefix());
    }
    int mark = mark(query, factory);
    byte[] after = query.getCursor() == null ? null : decode(query.getCursor(), mark);
    return new Plan(filter, field, bounds, query.isDescending(), after, query.getLimit(), mark);
  }

  /**
   * Reads a filter of a factory.
   *
   * @param text null for all documents
   * @throws DocumentException {@code BAD_REQUEST} for a filter that cannot be read, and for a field
   *     without an index
   */
  public static Filter filter(String text, String factory, IndexFields fields) {
    Filter filter = FilterParser.parse(text);
    Set<String> paths = new TreeSet<>();
    filter.addPaths(paths);
    paths.forEach(path -> indexed(path, factory, fields));
    return filter;
  }

  private static void indexed(String path, String factory, IndexFields fields) {
    if (fields.find(path) == null) {
      throw new DocumentException(
          BAD_REQUEST,
          "factory "
              + factory
              + " has no index on "
              + path
              + ", indexed are: "
              + fields.all().stream().map(IndexField::path).collect(Collectors.joining(", ")));
    }
  }

  /** The field of one value, or else the first one that the filter bounds; null for none. */
  private static IndexField best(Filter filter, IndexFields fields) {
    IndexField bounded = null;
    for (IndexField field : fields.all()) {
      Bounds bounds = filter.bounds(field);
      if (bounds != null && bounds.exact()) {
        return field;
      }
      bounded = bounded == null && bounds != null ? field : bounded;
    }
    return bounded;
  }

  private static int mark(Query query, String factory) {
    CRC32C crc = new CRC32C();
    String asked =
        factory + '\0' + query.getFilter() + '\0' + query.getSort() + '\0' + query.isDescending();
    crc.update(asked.getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }

  private static byte[] decode(String cursor, int mark) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(cursor);
    } catch (IllegalArgumentException e) {
      bytes = new byte[0];
    }
    if (bytes.length <= Integer.BYTES || ByteBuffer.wrap(bytes).getInt() != mark) {
      throw new DocumentException(BAD_REQUEST, "the cursor is not one of this query");
    }
    return Arrays.copyOfRange(bytes, Integer.BYTES, bytes.length);
  }

  /** The cursor of a page whose last entry, or key, is this. */
  public String cursor(byte[] last) {
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES + last.length).putInt(mark).put(last).array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Whether a document is to be found by an entry. A document that was changed since the entry was
   * read is found by its new entry only.
   */
  public boolean accepts(Document document, byte[] entry) {
    if (filter == Filter.ALL && field == null) {
      return true;
    }
    JsonObject json = document.json();
    if (!filter.test(json)) {
      return false;
    }
    if (field == null) {
      return true;
    }
    byte[] value = IndexValue.of(field.valueIn(json));
    return value != null && startsWith(entry, field.prefix(value));
  }

  private static boolean startsWith(byte[] entry, byte[] prefix) {
    return entry.length >= prefix.length
        && Arrays.equals(entry, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** The key of the document that an entry, or a key, stands for. */
  public byte[] keyOf(byte[] entry) {
    return field == null ? entry : IndexField.keyOf(entry);
  }
}
