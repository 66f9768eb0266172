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

  private final JsonGenerator generator;

  Json(OutputStream out) throws IOException {
    generator = FACTORY.createGenerator(out);
    generator.setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  JsonGenerator start() throws IOException {
    generator.writeStartObject();
    return generator;
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
