package dev.weir.gateway.admin;

import dev.weir.flow.RemoteConsumerStats;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.ServiceStats;
import dev.weir.flow.Weir;
import dev.weir.flow.vertx.Contexts;
import dev.weir.gateway.cluster.ClusterJson;
import dev.weir.gateway.http.Failures;
import dev.weir.gateway.http.LogText;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import dev.weir.gateway.http.Routes;
import dev.weir.gateway.security.Access;
import dev.weir.queue.QueueException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes for operators of running services. Everything below {@code /admin} requires the same
 * check; each change is logged with the previous state.
 */
public final class AdminRoutes implements Routes {
  private static final Logger LOG = LoggerFactory.getLogger(AdminRoutes.class);
  private static final long MAX_BODY_BYTES = 4096;
  private static final String SERVICE = "/admin/services/:address";

  private final Weir weir;
  private final WorkerExecutor threads;
  private final ClusterJson cluster;
  private final Handler<RoutingContext> access;

  /** An action on the service a request names; its result is the answer. */
  interface Action {
    Future<JsonObject> run(RoutingContext context, Service service);
  }

  /**
   * @param threads read the cluster
   * @param access lets a request go on, or answers it
   */
  public AdminRoutes(
      Weir weir, WorkerExecutor threads, ClusterJson cluster, Handler<RoutingContext> access) {
    this.weir = weir;
    this.threads = threads;
    this.cluster = cluster;
    this.access = access;
  }

  @Override
  public void mount(Router router) {
    router.route("/admin/*").handler(access);
    router.get("/admin/services").handler(this::services);
    router.get(SERVICE).handler(on((context, service) -> Future.succeededFuture(json(service))));
    router.post(SERVICE + "/pause").handler(on(AdminRoutes::pause));
    router.post(SERVICE + "/resume").handler(on(AdminRoutes::resume));
    router
        .put(SERVICE + "/workers")
        .handler(BodyHandler.create(false).setBodyLimit(MAX_BODY_BYTES))
        .handler(on(AdminRoutes::setWorkers));
    router.post(SERVICE + "/release").handler(on(AdminRoutes::release));
    router
        .get("/admin/cluster")
        .handler(
            context -> answer(context, Contexts.executeBlocking(threads, cluster::read, true)));
    AdminBackup backup = new AdminBackup(weir);
    router.get("/admin/backup").handler(context -> answer(context, backup.status()));
    router.post("/admin/backup").handler(context -> answer(context, backup.start(context)));
    AdminQueues queues = new AdminQueues(weir);
    router.get("/admin/queues").handler(context -> answer(context, queues.list()));
    router
        .delete("/admin/queues/:name")
        .handler(context -> answer(context, queues.delete(context)));
    router.get(SERVICE + "/messages").handler(on(AdminMessages::list));
    router.get(SERVICE + "/messages/:sequence").handler(on(AdminMessages::read));
    router.delete(SERVICE + "/messages/:sequence").handler(on(AdminMessages::delete));
    AdminDeadLetters letters = new AdminDeadLetters(weir);
    router.get(SERVICE + "/dead-letters").handler(on(letters::list));
    router.get(SERVICE + "/dead-letters/:number").handler(on(letters::read));
    router.post(SERVICE + "/dead-letters/requeue").handler(on(letters::requeueAll));
    router.post(SERVICE + "/dead-letters/:number/requeue").handler(on(letters::requeue));
    router.post(SERVICE + "/dead-letters/:number/move").handler(on(letters::move));
    router.delete(SERVICE + "/dead-letters").handler(on(letters::purgeAll));
    router.delete(SERVICE + "/dead-letters/:number").handler(on(letters::purge));
    router.route("/admin/*").failureHandler(AdminRoutes::fail);
  }

  private void services(RoutingContext context) {
    JsonArray services = new JsonArray();
    weir.services().forEach(service -> services.add(json(service)));
    answer(context, new JsonObject().put("services", services));
  }

  private Handler<RoutingContext> on(Action action) {
    return context -> {
      String address = context.pathParam("address");
      Service service = weir.service(address);
      if (service == null) {
        throw new ProblemException(ProblemType.NO_SERVICE, "there is no service " + address);
      }
      answer(context, action.run(context, service));
    };
  }

  private static void answer(RoutingContext context, Future<JsonObject> result) {
    result
        .onSuccess(json -> answer(context, json))
        .onFailure(failure -> context.fail(told(failure)));
  }

  /** What the store says is for the administrator to read. */
  private static Throwable told(Throwable failure) {
    return failure instanceof QueueException store
        ? new ProblemException(ProblemType.STORE_FAILED, store.getMessage())
        : failure;
  }

  private static Future<JsonObject> pause(RoutingContext context, Service service) {
    boolean before = service.stats().paused();
    return service
        .pause()
        .map(
            done -> {
              log(context, service, before ? "pause, it was paused already" : "paused");
              return json(service);
            });
  }

  private static Future<JsonObject> resume(RoutingContext context, Service service) {
    boolean before = service.stats().paused();
    return service
        .resume()
        .map(
            done -> {
              log(context, service, before ? "resumed" : "resume, it was not paused");
              return json(service);
            });
  }

  private static Future<JsonObject> release(RoutingContext context, Service service) {
    return service
        .releaseScheduled()
        .map(
            count -> {
              log(context, service, "released scheduled messages, " + count);
              return new JsonObject().put("released", count);
            });
  }

  private static Future<JsonObject> setWorkers(RoutingContext context, Service service) {
    int workers = workers(context);
    int before = service.stats().workers();
    return service
        .setWorkers(workers)
        .map(
            done -> {
              log(context, service, "workers " + before + " -> " + workers);
              return json(service);
            });
  }

  private static int workers(RoutingContext context) {
    String allowed = ", allowed is {\"workers\": n} with n from 1 to " + ServiceOptions.MAX_WORKERS;
    try {
      JsonObject body = context.body().asJsonObject();
      Object workers = body == null ? null : body.getValue("workers");
      if (workers instanceof Integer number
          && number >= 1
          && number <= ServiceOptions.MAX_WORKERS) {
        return number;
      }
      throw new ProblemException(ProblemType.BAD_REQUEST, "workers is " + workers + allowed);
    } catch (DecodeException | ClassCastException e) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "the body is not a JSON object" + allowed);
    }
  }

  /** Says who by the name of the token, which is not the token. */
  static void log(RoutingContext context, Service service, String what) {
    log(context, "service " + service.address() + ": " + what);
  }

  static void log(RoutingContext context, String what) {
    String principal = Access.principal(context);
    LOG.info(
        "{}, by {} at {}",
        what,
        principal == null ? "an administrator" : LogText.of(principal),
        context.request().remoteAddress().hostAddress());
  }

  private static JsonObject json(Service service) {
    ServiceStats stats = service.stats();
    return new JsonObject()
        .put("address", service.address())
        .put("paused", stats.paused())
        .put("workers", stats.workers())
        .put("busyWorkers", stats.busyWorkers())
        .put("waitingInMemory", stats.waitingInMemory())
        .put("waitingOnDisk", stats.waitingOnDisk())
        .put("deadLetters", service.deadLetters().count())
        .put("consumers", consumers(service));
  }

  private static JsonArray consumers(Service service) {
    JsonArray consumers = new JsonArray();
    for (RemoteConsumerStats consumer : service.remoteConsumers()) {
      consumers.add(
          new JsonObject()
              .put("name", consumer.name())
              .put("credits", consumer.credits())
              .put("out", consumer.out())
              .put("answered", consumer.answered()));
    }
    return consumers;
  }

  private static void answer(RoutingContext context, JsonObject result) {
    context
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(result.toBuffer());
  }

  private static void fail(RoutingContext context) {
    if (context.statusCode() == ProblemType.UNAUTHORIZED.status
        || context.statusCode() == ProblemType.FORBIDDEN.status) {
      // Of the access check, which answers behind all routes.
      context.next();
      return;
    }
    Problem problem =
        context.failure() == null
            ? Problem.of(type(context.statusCode()), "the body is not accepted")
            : Failures.of(context.failure(), context.request().path());
    Refusal.send(context, problem);
  }

  private static ProblemType type(int status) {
    return status == ProblemType.TOO_LARGE.status ? ProblemType.TOO_LARGE : ProblemType.BAD_REQUEST;
  }
}
