package dev.weir.state.call;

import dev.weir.state.Document;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import io.vertx.core.buffer.Buffer;

/**
 * A document in the form in which it is sent.
 *
 * @param format of the body
 */
public record Encoded(DocumentFormat format, Buffer body) {
  /**
   * A document in the form that is asked for; in its own one if it has not that form, such as a
   * whole number of 400 digits in CBOR: a write is made when its answer is encoded.
   */
  public static Encoded of(Document document, DocumentFormat asked) {
    try {
      return new Encoded(asked, document.buffer(asked));
    } catch (DocumentException e) {
      return new Encoded(document.format(), document.buffer(document.format()));
    }
  }
}
