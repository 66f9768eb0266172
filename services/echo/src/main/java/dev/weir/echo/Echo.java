package dev.weir.echo;

import dev.weir.flow.OptionReader;
import dev.weir.flow.RunOn;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.gateway.launch.LaunchedService;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;

/**
 * Answers what comes: with true, or with the body itself, as the benchmark's services do; and takes
 * events, which it writes to a file if it is given one.
 */
final class Echo implements LaunchedService {
  static final String ONE_WAY = "echo.one-way";
  static final String TWO_WAY = "echo.two-way";
  static final String EVENTS = "echo.events";

  private ServiceOptions pool = new ServiceOptions();
  private String journalFile = "";
  private Journal journal;

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public JsonObject defaults() {
    return new JsonObject().put("journal", journalFile).put("pool", pool.toJson());
  }

  @Override
  public void configure(JsonObject settings) {
    new OptionReader(
            Map.of(
                "journal", value -> journalFile = OptionReader.text("journal", value),
                "pool", value -> pool = pool(value)))
        .apply(settings);
  }

  private static ServiceOptions pool(Object value) {
    try {
      return new ServiceOptions((JsonObject) value);
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new IllegalArgumentException("pool: " + e.getMessage(), e);
    }
  }

  @Override
  public Future<?> start(Weir weir) {
    journal = journalFile.isEmpty() ? Journal.NONE : Journal.open(Path.of(journalFile));
    return weir.serve(ONE_WAY, pool, message -> Future.succeededFuture(true))
        .compose(
            served -> weir.serve(TWO_WAY, pool, message -> Future.succeededFuture(message.body())))
        // A file is written to: not on an event loop.
        .compose(
            served ->
                weir.serve(EVENTS, new ServiceOptions(pool).setRunOn(RunOn.WORKER), this::keep));
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
