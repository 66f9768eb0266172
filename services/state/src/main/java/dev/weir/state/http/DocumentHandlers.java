package dev.weir.state.http;

import dev.weir.options.ByteBudget;
import dev.weir.state.Document;
import dev.weir.state.WriteOptions;
import dev.weir.state.call.PageJson;
import dev.weir.state.call.ServedFactory;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The handlers of the routes below {@code /documents/}. */
public final class DocumentHandlers {
  private static final String DESCRIPTION = "/dev/weir/state/openapi.json";
  private static final String FACTORY = "/documents/:factory";
  private static final String DOCUMENT = FACTORY + "/:key";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String JSON = "application/json";

  /** By this name a gateway finds the future of an operation whose client is gone. */
  private static final String WORK = "weir.work";

  private final Function<String, ServedFactory> factories;
  private final Supplier<JsonObject> figures;
  private final ByteBudget budget;
  private final Answers answers;

  /**
   * @param factories finds the factory of a name; gives null for none
   * @param figures of the store and all its factories
   * @param budget what bodies are taken from while they are read, and answers until they are taken
   * @param outgrown what large answers of writes are taken from too
   */
  public DocumentHandlers(
      Function<String, ServedFactory> factories,
      Supplier<JsonObject> figures,
      ByteBudget budget,
      ByteBudget outgrown) {
    this.factories = factories;
    this.figures = figures;
    this.budget = budget;
    this.answers = new Answers(budget, outgrown);
  }

  /** Adds the routes. */
  public void mount(Router router) {
    // Patterns are tried in this order, so what is asked for most often comes first.
    router.put(DOCUMENT).handler(guarded(this::put));
    router
        .get("/documents")
        .handler(context -> answer(context.response(), figures.get().toBuffer()));
    Buffer description = description();
    router
        .get("/documents/openapi.json")
        .handler(context -> answer(context.response(), description));
    router.get(FACTORY).handler(guarded(this::find));
    router.post(FACTORY).handler(guarded(this::create));
    router.get(FACTORY + "/changes").handler(context -> guard(context, this::changes));
    router.get(DOCUMENT).handler(guarded(this::get));
    router.get(DOCUMENT + "/versions").handler(guarded(this::versions));
    router.patch(DOCUMENT).handler(guarded(this::patch));
    router.delete(DOCUMENT).handler(guarded(this::delete));
    router.post(DOCUMENT + "/actions/:action").handler(guarded(this::act));
  }

  private static Buffer description() {
    try (InputStream in = DocumentHandlers.class.getResourceAsStream(DESCRIPTION)) {
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Handler<RoutingContext> guarded(
      BiFunction<RoutingContext, ServedFactory, Future<?>> handler) {
    return context -> context.put(WORK, guard(context, handler));
  }

  private Future<?> guard(
      RoutingContext context, BiFunction<RoutingContext, ServedFactory, Future<?>> handler) {
    try {
      return handler
          .apply(context, HttpRequests.factory(context, factories))
          .onFailure(failure -> HttpProblem.answer(context, failure));
    } catch (RuntimeException e) {
      HttpProblem.answer(context, e);
      return Future.succeededFuture();
    }
  }

  private static String key(RoutingContext context) {
    return context.pathParam("key");
  }

  /** What cannot be answered, such as a number that CBOR has not, is a failure too. */
  private static <T> Future<?> answer(Future<T> asked, Consumer<T> answer) {
    return asked.map(
        result -> {
          answer.accept(result);
          return null;
        });
  }

  private Future<?> get(RoutingContext context, ServedFactory factory) {
    String version = context.request().getParam("version");
    Future<Document> read =
        version == null
            ? factory.get(key(context))
            : factory.get(key(context), HttpRequests.number("version", version));
    return answer(
        read,
        found -> {
          String tag = Answers.tag(found);
          if (tag.equals(context.request().getHeader("if-none-match"))) {
            context.response().setStatusCode(304).putHeader("etag", tag).end();
          } else {
            answers.read(context, found);
          }
        });
  }

  /** A stream, unless the factory has none and a document of this key is meant. */
  private Future<?> changes(RoutingContext context, ServedFactory factory) {
    if (factory.logsChanges() || HttpRequests.wantsEvents(context)) {
      return ChangeEvents.open(context, factory.streaming(), budget);
    }
    context.next();
    return Future.succeededFuture();
  }

  private Future<?> versions(RoutingContext context, ServedFactory factory) {
    return answer(
        factory.versions(key(context)),
        versions -> answers.read(context, PageJson.of(versions).toBuffer()));
  }

  private Future<?> create(RoutingContext context, ServedFactory factory) {
    WriteOptions options = HttpRequests.options(context);
    String asked = context.request().getParam("key");
    String key = asked == null ? UUID.randomUUID().toString() : asked;
    return answer(
        HttpRequests.body(context, factory, budget)
            .compose(body -> factory.create(key, HttpRequests.document(context, body), options)),
        created -> {
          String path = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
          context.response().putHeader("location", "/documents/" + factory.name() + "/" + path);
          answers.written(context, 201, created);
        });
  }

  private Future<?> put(RoutingContext context, ServedFactory factory) {
    WriteOptions options = HttpRequests.options(context);
    return answer(
        HttpRequests.body(context, factory, budget)
            .compose(
                body -> factory.write(key(context), HttpRequests.document(context, body), options)),
        written -> answers.written(context, written.created() ? 201 : 200, written.document()));
  }

  private Future<?> patch(RoutingContext context, ServedFactory factory) {
    WriteOptions options = HttpRequests.options(context);
    String type = HttpRequests.type(context);
    if (!type.equals(MERGE_PATCH) && !type.equals(JSON_PATCH)) {
      HttpProblem.unsupported(context, MERGE_PATCH + ", " + JSON_PATCH);
      return Future.succeededFuture();
    }
    return answer(
        HttpRequests.body(context, factory, budget)
            .compose(
                body ->
                    type.equals(MERGE_PATCH)
                        ? factory.merge(key(context), HttpRequests.object(body), options)
                        : factory.patch(key(context), HttpRequests.array(body), options)),
        patched -> answers.written(context, 200, patched));
  }

  private Future<?> delete(RoutingContext context, ServedFactory factory) {
    return answer(
        factory.delete(key(context), HttpRequests.options(context)),
        gone -> context.response().setStatusCode(204).end());
  }

  private Future<?> act(RoutingContext context, ServedFactory factory) {
    WriteOptions options = HttpRequests.options(context);
    return answer(
        HttpRequests.body(context, factory, budget)
            .map(body -> body.length() == 0 ? null : HttpRequests.object(body))
            .compose(body -> factory.act(key(context), context.pathParam("action"), body, options)),
        reply -> answers.acted(context, reply.toBuffer()));
  }

  private Future<?> find(RoutingContext context, ServedFactory factory) {
    if ("true".equals(context.request().getParam("count"))) {
      return answer(
          factory.count(HttpRequests.query(context)),
          count -> answers.read(context, new JsonObject().put("count", count).toBuffer()));
    }
    return answer(
        factory.query(HttpRequests.query(context)),
        page -> answers.read(context, PageJson.encode(page)));
  }

  private static void answer(HttpServerResponse response, Buffer body) {
    response.setStatusCode(200).putHeader("content-type", JSON).end(body);
  }
}
