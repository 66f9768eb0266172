package dev.weir.echo;

import dev.weir.flow.NoCopyBody;
import dev.weir.flow.RunOn;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.launcher.LaunchedService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;

/**
 * Three services for trying out a node: {@value #ONE_WAY} answers a request with true, {@value
 * #TWO_WAY} answers with the body, {@value #EVENTS} writes each message to a file, if one is
 * configured. A delay of the answers shows what happens under overload.
 */
final class Echo implements LaunchedService {
  static final String ONE_WAY = "echo.one-way";
  static final String TWO_WAY = "echo.two-way";
  static final String EVENTS = "echo.events";

  private EchoOptions options = new EchoOptions();
  private long delayMs;
  private Journal journal;

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public JsonObject defaults() {
    return options.toJson();
  }

  @Override
  public void configure(JsonObject settings) {
    options = new EchoOptions(settings);
  }

  @Override
  public Future<?> start(Vertx vertx, Weir weir) {
    String file = options.journal();
    journal = file.isEmpty() ? Journal.NONE : Journal.open(Path.of(file));
    delayMs = options.delayMs();
    ServiceOptions pool = options.pool();
    // Writes to a file, so it must not run on an event loop.
    ServiceOptions events = new ServiceOptions(pool).setRunOn(RunOn.WORKER);
    return Future.all(
        weir.serve(ONE_WAY, pool, message -> answer(vertx, true)),
        weir.serve(TWO_WAY, pool, message -> answer(vertx, NoCopyBody.of(message.body()))),
        weir.serve(EVENTS, events, this::keep));
  }

  private Future<?> answer(Vertx vertx, Object reply) {
    return delayMs == 0 ? Future.succeededFuture(reply) : vertx.timer(delayMs).map(reply);
  }

  private Future<?> keep(ServiceMessage<Object> message) {
    journal.write(message.id(), message.deliveryCount(), message.body());
    return Future.succeededFuture();
  }

  @Override
  public void stop() {
    if (journal != null) {
      journal.close();
    }
  }
}
