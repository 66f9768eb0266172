package dev.weir.state.call;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.STORE_FAILED;

import dev.weir.flow.NoCopyBody;
import dev.weir.state.BusHeaders;
import dev.weir.state.ChangeQuery;
import dev.weir.state.Document;
import dev.weir.state.DocumentBody;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFactory;
import dev.weir.state.DocumentFormat;
import dev.weir.state.Expected;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.WriteOptions;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Consumer;

/** Runs what messages of the event bus ask of a factory, and replies. */
public final class BusActions {
  private final DocumentFactory factory;

  public BusActions(DocumentFactory factory) {
    this.factory = factory;
  }

  /** Handles one message; every message gets a reply or a failure. */
  public void handle(Message<Object> message) {
    try {
      run(message).onFailure(failure -> fail(message, failure));
    } catch (RuntimeException e) {
      fail(message, e);
    }
  }

  private Future<?> run(Message<Object> message) {
    String action = header(message, BusHeaders.ACTION);
    if (action.equals("query")) {
      return answer(factory.query(query(message)), page -> reply(message, page));
    }
    if (action.equals("count")) {
      return answer(
          factory.count(query(message)),
          count -> message.reply(new JsonObject().put("count", count)));
    }
    if (action.equals("changes")) {
      ChangeQuery query =
          message.body() == null ? new ChangeQuery() : new ChangeQuery(object(message));
      return answer(
          factory.changes(query), page -> message.reply(NoCopyBody.of(PageJson.of(page))));
    }
    String key = header(message, BusHeaders.KEY);
    if (action.equals("versions")) {
      return answer(
          factory.versions(key), versions -> message.reply(NoCopyBody.of(PageJson.of(versions))));
    }
    WriteOptions options = options(message);
    return switch (action) {
      case "get" -> document(message, read(message, key));
      case "create" -> document(message, factory.create(key, document(message), options));
      case "put" -> document(message, factory.put(key, document(message), options));
      case "replace" -> document(message, factory.replace(key, document(message), options));
      case "merge" -> document(message, factory.merge(key, object(message), options));
      case "patch" -> document(message, factory.patch(key, array(message), options));
      case "delete" -> document(message, factory.delete(key, options));
      default -> {
        JsonObject body = message.body() == null ? null : object(message);
        yield answer(
            factory.act(key, action, body, options), reply -> message.reply(NoCopyBody.of(reply)));
      }
    };
  }

  private static Future<?> document(Message<Object> message, Future<Document> asked) {
    return answer(asked, document -> reply(message, document));
  }

  /** What cannot be replied, such as a number that CBOR has not, is a failure too. */
  private static <T> Future<?> answer(Future<T> asked, Consumer<T> reply) {
    return asked.map(
        result -> {
          reply.accept(result);
          return null;
        });
  }

  private Future<Document> read(Message<Object> message, String key) {
    String version = message.headers().get(BusHeaders.VERSION);
    return version == null || version.equals(BusHeaders.ANY_VERSION)
        ? factory.get(key)
        : factory.get(key, number(BusHeaders.VERSION, version));
  }

  private static String header(Message<?> message, String name) {
    String value = message.headers().get(name);
    if (value == null) {
      throw new DocumentException(BAD_REQUEST, "the header " + name + " is missing");
    }
    return value;
  }

  private static WriteOptions options(Message<?> message) {
    String version = message.headers().get(BusHeaders.VERSION);
    String expiry = message.headers().get(BusHeaders.EXPIRY_MS);
    WriteOptions options = WriteOptions.DEFAULT;
    if (version != null) {
      options = options.expect(expected(version));
    }
    return expiry == null ? options : options.expireAfterMs(number(BusHeaders.EXPIRY_MS, expiry));
  }

  private static Expected expected(String version) {
    if (version.equals(BusHeaders.ANY_VERSION)) {
      return Expected.present();
    }
    long number = number(BusHeaders.VERSION, version);
    return number == 0 ? Expected.absent() : Expected.version(number);
  }

  private static long number(String header, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new DocumentException(
          BAD_REQUEST, "the header " + header + " is " + value + ", not a whole number");
    }
  }

  private static boolean isBinary(Message<?> message) {
    String accept = message.headers().get(BusHeaders.ACCEPT);
    String form = accept == null ? message.headers().get(BusHeaders.CONTENT_TYPE) : accept;
    return DocumentFormat.CBOR.mediaType().equals(form);
  }

  private static DocumentBody document(Message<Object> message) {
    if (message.body() instanceof Buffer buffer) {
      String type = message.headers().get(BusHeaders.CONTENT_TYPE);
      boolean binary = DocumentFormat.CBOR.mediaType().equals(type);
      return DocumentBody.parse(buffer, binary ? DocumentFormat.CBOR : DocumentFormat.JSON);
    }
    return DocumentBody.of(object(message));
  }

  private static JsonObject object(Message<Object> message) {
    if (message.body() instanceof JsonObject object) {
      return object;
    }
    if (message.body() instanceof Buffer buffer) {
      try {
        return new JsonObject(buffer);
      } catch (DecodeException e) {
        throw new DocumentException(BAD_REQUEST, "the body is not a JSON object", e);
      }
    }
    throw new DocumentException(BAD_REQUEST, "the body is not a JSON object");
  }

  private static JsonArray array(Message<Object> message) {
    if (message.body() instanceof JsonArray array) {
      return array;
    }
    if (message.body() instanceof Buffer buffer) {
      try {
        return new JsonArray(buffer);
      } catch (DecodeException e) {
        throw new DocumentException(BAD_REQUEST, "the body is not a JSON array", e);
      }
    }
    throw new DocumentException(BAD_REQUEST, "the body is not a JSON array");
  }

  private static void reply(Message<Object> message, Document document) {
    DeliveryOptions options =
        new DeliveryOptions()
            .addHeader(BusHeaders.KEY, document.key())
            .addHeader(BusHeaders.VERSION, Long.toString(document.version()));
    if (document.expiresAtMs() != 0) {
      options.addHeader(BusHeaders.EXPIRES_AT_MS, Long.toString(document.expiresAtMs()));
    }
    Encoded encoded = isBinary(message) ? Encoded.of(document, DocumentFormat.CBOR) : null;
    if (encoded != null && encoded.format() == DocumentFormat.CBOR) {
      options.addHeader(BusHeaders.CONTENT_TYPE, DocumentFormat.CBOR.mediaType());
      message.reply(encoded.body(), options);
    } else {
      boolean isJson = document.format() == DocumentFormat.JSON;
      message.reply(isJson ? new EncodedObject(document) : NoCopyBody.of(document.json()), options);
    }
  }

  private static Query query(Message<Object> message) {
    return message.body() == null ? new Query() : new Query(object(message));
  }

  private static void reply(Message<Object> message, QueryPage page) {
    message.reply(NoCopyBody.of(PageJson.of(page)));
  }

  private static void fail(Message<Object> message, Throwable failure) {
    if (failure instanceof DocumentException refused) {
      message.fail(refused.failure().code(), refused.getMessage());
    } else if (failure instanceof IllegalArgumentException) {
      message.fail(BAD_REQUEST.code(), failure.getMessage());
    } else {
      message.fail(STORE_FAILED.code(), String.valueOf(failure.getMessage()));
    }
  }
}
