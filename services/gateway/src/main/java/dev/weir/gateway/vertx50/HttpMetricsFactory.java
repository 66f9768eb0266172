package dev.weir.gateway.vertx50;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import io.vertx.micrometer.MicrometerMetricsFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the Micrometer metrics of a Vert.x, with {@link HttpFigures} for its HTTP servers. A newer
 * Vert.x asks for the metrics of a server in another way.
 */
public final class HttpMetricsFactory extends MicrometerMetricsFactory {
  private static final String CREATE = "createHttpServerMetrics";
  private static final List<Class<?>> PARAMETERS =
      List.of(HttpServerOptions.class, SocketAddress.class);

  private final MeterRegistry registry;

  /** By local address: servers that share one share the meters. */
  private final Map<String, HttpMeters> meters = new ConcurrentHashMap<>();

  public HttpMetricsFactory(MeterRegistry registry) {
    super(registry);
    this.registry = registry;
  }

  /** A proxy, because the methods of the interface differ between versions of Vert.x. */
  @Override
  public VertxMetrics metrics(VertxOptions options) {
    VertxMetrics metrics = super.metrics(options);
    return (VertxMetrics)
        Proxy.newProxyInstance(
            VertxMetrics.class.getClassLoader(),
            new Class<?>[] {VertxMetrics.class},
            (proxy, method, arguments) -> call(metrics, method, arguments));
  }

  private Object call(VertxMetrics metrics, Method method, Object[] arguments) throws Throwable {
    Object result;
    try {
      result = method.invoke(metrics, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    boolean server =
        method.getName().equals(CREATE)
            && Arrays.asList(method.getParameterTypes()).equals(PARAMETERS);
    return server && result != null
        ? new HttpFigures(typed(result), metersOf((SocketAddress) arguments[1]))
        : result;
  }

  @SuppressWarnings("unchecked") // its metric objects are given back to nobody else
  private static HttpServerMetrics<Object, Object, Object> typed(Object metrics) {
    return (HttpServerMetrics<Object, Object, Object>) metrics;
  }

  private HttpMeters metersOf(SocketAddress local) {
    return meters.computeIfAbsent(
        String.valueOf(local), address -> new HttpMeters(registry, address));
  }
}
