package dev.weir.gateway.metrics;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceObserver;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirObserver;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MicrometerMetricsFactory;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The figures of one node, in a registry of its own: two nodes in one JVM do not see each other's.
 * They can go to other registries of Micrometer too, such as one that sends them by OTLP. All
 * methods may be called from any thread; none blocks but {@link #scrape} and {@link #close}.
 */
public final class Metrics implements AutoCloseable {
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Those that the caller brings; null for none. */
  private final CompositeMeterRegistry others;

  /** Of Prometheus alone where there are no others: a composite costs each request a little. */
  private final MeterRegistry registry;

  private final MicrometerMetricsFactory http;
  private final Map<String, ServiceLatency> latencies = new ConcurrentHashMap<>();
  private final Map<String, GroupWords> groups = new ConcurrentHashMap<>();
  private final Map<String, ShardMetrics> shards = new ConcurrentHashMap<>();
  private volatile ClusterView cluster;
  private final CopyOnWriteArrayList<AutoCloseable> closeables = new CopyOnWriteArrayList<>();

  /** Binders that wait for the first read. Null after it, and always null with other registries. */
  private Queue<MeterBinder> unbound;

  private Metrics(List<MeterRegistry> others) {
    if (others.isEmpty()) {
      this.others = null;
      this.registry = prometheus;
      this.unbound = new ArrayDeque<>();
    } else {
      this.others = new CompositeMeterRegistry();
      others.forEach(this.others::add);
      CompositeMeterRegistry all = new CompositeMeterRegistry();
      all.add(prometheus).add(this.others);
      this.registry = all;
    }
    this.http = httpMetrics(registry);
  }

  /** With meters of requests that are held, or Vert.x's own, which cost each request more. */
  private static MicrometerMetricsFactory httpMetrics(MeterRegistry registry) {
    try {
      return Vertx50.make(MicrometerMetricsFactory.class, "HttpMetricsFactory", registry);
    } catch (LinkageError e) {
      return new MicrometerMetricsFactory(registry);
    }
  }

  /**
   * With the figures of the JVM and of the process; more are bound by the other methods. Pauses of
   * the collector are counted from the first read on, or from now on where there are others.
   *
   * @param others get all figures too; none null; closed by {@link #close}. How long messages wait
   *     and are handled is then a timer for each service, which costs its messages some 0.1 us each
   */
  public static Metrics create(MeterRegistry... others) {
    Metrics metrics = new Metrics(List.of(others));
    VertxFigures.filter(metrics.registry);
    metrics.prometheus.getPrometheusRegistry().register(new LatencyCollector(metrics.latencies));
    metrics.bindBeforeRead(new JvmMemoryMetrics());
    metrics.bindBeforeRead(new JvmThreadMetrics());
    metrics.bindBeforeRead(new JvmGcMetrics());
    metrics.bindBeforeRead(new ProcessorMetrics());
    metrics.bindBeforeRead(new UptimeMetrics());
    return metrics;
  }

  /** Where to register more, such as the meters of a handler; it passes them to all registries. */
  public MeterRegistry registry() {
    bindAll();
    return registry;
  }

  /** One at a time: another thread that binds or unbinds waits for one binder at most. */
  private void bindAll() {
    boolean more = true;
    while (more) {
      synchronized (this) {
        MeterBinder next = unbound == null ? null : unbound.poll();
        more = next != null;
        if (more) {
          next.bindTo(registry);
        } else {
          unbound = null;
        }
      }
    }
  }

  /**
   * A builder for a Vert.x whose own figures go here too: HTTP, pools, network.
   *
   * @param options changed: their options of metrics are replaced
   */
  public VertxBuilder vertx(VertxOptions options) {
    Checks.notNull("options", options).setMetricsOptions(VertxFigures.options());
    return Vertx.builder().with(options).withMetrics(http);
  }

  /** Adds figures; those that have to be are closed with this. */
  public Metrics bind(MeterBinder binder) {
    binder.bindTo(registry);
    return keep(binder);
  }

  /**
   * The same for a binder that cannot fail. Where Prometheus is the only registry, the binder is
   * called before the first figure is read: a start needs none of its classes.
   */
  public Metrics bindBeforeRead(MeterBinder binder) {
    bindOrWait(binder);
    return keep(binder);
  }

  private synchronized void bindOrWait(MeterBinder binder) {
    if (unbound == null) {
      binder.bindTo(registry);
    } else {
      unbound.add(binder);
    }
  }

  private synchronized void forget(MeterBinder binder) {
    if (unbound != null) {
      unbound.remove(binder);
    }
  }

  private Metrics keep(MeterBinder binder) {
    if (binder instanceof GroupWords words) {
      groups.put(words.group(), words);
    }
    if (binder instanceof ShardMetrics service) {
      shards.put(service.address(), service);
    }
    if (binder instanceof AutoCloseable closeable) {
      closeables.add(closeable);
    }
    return this;
  }

  /**
   * Takes figures away that were bound and are {@link AutoCloseable}: those of a replica that has
   * ended, for instance. Others stay.
   *
   * @throws IllegalStateException if they cannot be closed
   */
  public void unbind(MeterBinder binder) {
    forget(binder);
    if (binder instanceof GroupWords words) {
      groups.remove(words.group(), words);
    }
    if (binder instanceof ShardMetrics service) {
      shards.remove(service.address(), service);
    }
    if (binder instanceof AutoCloseable closeable) {
      closeables.remove(closeable);
      end(closeable);
    }
  }

  private static void end(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      throw new IllegalStateException("metrics cannot be closed", e);
    }
  }

  /** Adds the figures of a Weir and of its present and future services. */
  public Metrics bind(Weir weir) {
    Checks.notNull("weir", weir);
    bindBeforeRead(new StoreMetrics(weir));
    Observer observer = new Observer(weir.heap());
    closeables.add(
        () -> {
          weir.removeObserver(observer);
          observer.close();
        });
    weir.addObserver(observer);
    return this;
  }

  /**
   * How long messages of a service waited until their handler was called; null if there is no such
   * service.
   */
  public LatencySnapshot waiting(String address) {
    ServiceLatency latency = latencies.get(address);
    return latency == null ? null : latency.waiting.snapshot();
  }

  /** How long the handler of a service took; null if there is no such service. */
  public LatencySnapshot handling(String address) {
    ServiceLatency latency = latencies.get(address);
    return latency == null ? null : latency.handling.snapshot();
  }

  /**
   * Has the dashboard and {@code GET /admin/cluster} show the nodes of the cluster.
   *
   * @param view replaces the one before
   */
  public Metrics bindCluster(ClusterView view) {
    cluster = Checks.notNull("view", view);
    return this;
  }

  /** The nodes of the cluster; null if none were bound. */
  public ClusterView cluster() {
    return cluster;
  }

  /** What the groups that were bound say of themselves, by name. */
  public Collection<GroupWords> groups() {
    return new TreeMap<>(groups).values();
  }

  /** The services of shards that were bound, by address. */
  public Collection<ShardMetrics> shards() {
    return new TreeMap<>(shards).values();
  }

  /** What a group that was bound says of itself; null if there is none of that name. */
  public GroupWords group(String name) {
    return groups.get(name);
  }

  /**
   * Everything, as text for Prometheus. Blocks, for the file system.
   *
   * @param format not null
   */
  public String scrape(MetricsFormat format) {
    bindAll();
    return prometheus.scrape(format.contentType());
  }

  @Override
  public void close() {
    if (others != null) {
      // First: one that sends its figures sends the last ones now.
      others.getRegistries().forEach(MeterRegistry::close);
    }
    closeables.forEach(Metrics::end);
    closeables.clear();
    prometheus.close();
    registry.close();
  }

  /** The services of one Weir. */
  private final class Observer implements WeirObserver {
    private final Map<Service, Bound> services = new ConcurrentHashMap<>();
    private final HeapBudget heap;

    Observer(HeapBudget heap) {
      this.heap = heap;
    }

    @Override
    public ServiceObserver opened(Service service) {
      ServiceMetrics metrics = new ServiceMetrics(service, heap);
      bindOrWait(metrics);
      ServiceLatency latency = ServiceLatency.of(service.address(), others);
      services.put(service, new Bound(metrics, latency));
      latencies.put(service.address(), latency);
      return latency;
    }

    @Override
    public void closed(Service service) {
      Bound bound = services.remove(service);
      if (bound != null) {
        forget(bound.metrics);
        bound.metrics.close();
        bound.latency.close();
        latencies.remove(service.address(), bound.latency);
      }
    }

    void close() {
      services.keySet().forEach(this::closed);
    }
  }

  private record Bound(ServiceMetrics metrics, ServiceLatency latency) {}
}
