package dev.weir.queue.tool;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;

/** Writes JSON objects, one per line. */
final class Json implements Closeable {
  /** Bodies may be long. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  /** Components whose field has another name. */
  private static final Map<String, String> RENAMED =
      Map.of("transients", "transient", "name", "queue");

  private final JsonGenerator generator;

  Json(OutputStream out) throws IOException {
    generator = FACTORY.createGenerator(out);
    generator.setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  JsonGenerator start() throws IOException {
    generator.writeStartObject();
    return generator;
  }

  /**
   * Writes a field. Bytes are base64. A list is an array of records, and a record an object of its
   * components; a component that is null is left out.
   */
  void field(String name, Object value) throws IOException {
    generator.writeFieldName(name);
    if (value instanceof Number number) {
      generator.writeNumber(number.longValue());
    } else if (value instanceof Boolean truth) {
      generator.writeBoolean(truth);
    } else if (value instanceof byte[] bytes) {
      generator.writeBinary(bytes);
    } else if (value instanceof List<?> list) {
      generator.writeStartArray();
      for (Object element : list) {
        generator.writeStartObject();
        fields((Record) element);
        generator.writeEndObject();
      }
      generator.writeEndArray();
    } else {
      generator.writeString((String) value);
    }
  }

  /** Writes the components of a record as fields. */
  void fields(Record record) throws IOException {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value;
      try {
        value = component.getAccessor().invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(component + " cannot be read", e);
      }
      if (value != null) {
        field(RENAMED.getOrDefault(component.getName(), component.getName()), value);
      }
    }
  }

  void end() throws IOException {
    generator.writeEndObject();
    generator.writeRaw('\n');
  }

  void flush() throws IOException {
    generator.flush();
  }

  @Override
  public void close() throws IOException {
    generator.close();
  }
}
