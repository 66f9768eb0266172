package dev.weir.state.je;

import dev.weir.state.index.IndexField;
import dev.weir.state.index.IndexFields;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What is kept of a factory beside its documents, as JSON.
 *
 * @param floor the largest version that was deleted
 * @param lastField the largest number that a field ever had
 * @param fields numbers of the indexed fields by path
 * @param position of the last change in a log that was deleted; 0 if there was none
 * @param documents how many there are; {@value #UNKNOWN} while the factory is open, and after a
 *     crash
 */
record FactoryMeta(
    long floor, int lastField, Map<String, Integer> fields, long position, long documents) {
  static final long UNKNOWN = -1;
  static final FactoryMeta NEW = new FactoryMeta(0, 0, Map.of(), 0, UNKNOWN);

  static FactoryMeta decode(byte[] bytes) {
    JsonObject json = new JsonObject(Buffer.buffer(bytes));
    Map<String, Integer> fields = new LinkedHashMap<>();
    json.getJsonObject("fields", new JsonObject())
        .forEach(field -> fields.put(field.getKey(), (Integer) field.getValue()));
    return new FactoryMeta(
        json.getLong("floor", 0L),
        json.getInteger("lastField", 0),
        fields,
        json.getLong("position", 0L),
        json.getLong("documents", UNKNOWN));
  }

  byte[] encode() {
    JsonObject numbers = new JsonObject();
    fields.forEach(numbers::put);
    return new JsonObject()
        .put("floor", floor)
        .put("lastField", lastField)
        .put("fields", numbers)
        .put("position", position)
        .put("documents", documents)
        .toBuffer()
        .getBytes();
  }

  FactoryMeta withFloor(long higher) {
    return new FactoryMeta(higher, lastField, fields, position, documents);
  }

  FactoryMeta withPosition(long last) {
    return new FactoryMeta(floor, lastField, fields, last, documents);
  }

  FactoryMeta withDocuments(long count) {
    return new FactoryMeta(floor, lastField, fields, position, count);
  }

  /** The same with these fields; those that stay keep their numbers, no number comes again. */
  FactoryMeta withFields(Collection<String> paths) {
    Map<String, Integer> next = new LinkedHashMap<>();
    int last = lastField;
    for (String path : paths) {
      if (!next.containsKey(path)) {
        Integer number = fields.get(path);
        next.put(path, number == null ? ++last : number);
      }
    }
    return new FactoryMeta(floor, last, next, position, documents);
  }

  IndexFields indexFields() {
    return fields(fields);
  }

  /** The same without some fields; their numbers are used up. */
  FactoryMeta without(IndexFields some) {
    Map<String, Integer> left = new LinkedHashMap<>(fields);
    some.all().forEach(field -> left.remove(field.path()));
    return new FactoryMeta(floor, lastField, left, position, documents);
  }

  /** The fields that others have not. */
  IndexFields added(FactoryMeta others) {
    Map<String, Integer> added = new LinkedHashMap<>(fields);
    added.keySet().removeAll(others.fields.keySet());
    return fields(added);
  }

  /** The fields whose numbers were given away and belong to no field any more; without paths. */
  List<IndexField> unused() {
    return IntStream.rangeClosed(1, lastField)
        .filter(number -> !fields.containsValue(number))
        .mapToObj(number -> new IndexField(number, ""))
        .toList();
  }

  private static IndexFields fields(Map<String, Integer> numbers) {
    List<IndexField> fields = new ArrayList<>();
    numbers.forEach((path, number) -> fields.add(new IndexField(number, path)));
    return new IndexFields(fields);
  }
}
