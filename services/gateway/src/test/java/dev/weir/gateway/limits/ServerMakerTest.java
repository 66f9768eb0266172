package dev.weir.gateway.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.LimitOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Makes a server where some classes inside Vert.x are missing, as they are in Vert.x 5.1. */
class ServerMakerTest {
  private static final String PACKAGE = "dev.weir.gateway.limits.";

  /** What is loaded anew, so that it links with what the loader has. */
  private static final List<String> ANEW =
      List.of(PACKAGE, "dev.weir.gateway.vertx50.", "dev.weir.gateway.metrics.Vertx50");

  /** In another package, or gone, in Vert.x 5.1. */
  private static final List<String> MOVED =
      List.of(
          "io.vertx.core.http.impl.HttpServerImpl",
          "io.vertx.core.http.impl.Http1xOrH2CHandler",
          "io.vertx.core.http.impl.Http1xServerConnection",
          "io.vertx.core.http.impl.VertxHttpRequestDecoder",
          "io.vertx.core.net.impl.NetServerImpl",
          "io.vertx.core.net.impl.NetServerInternal");

  @Test
  void aPlainServerIsMadeWhenAnyOfTheInternalsIsMissing() throws Exception {
    Logger logger = Logger.getLogger(ServerMaker.class.getName());
    Level before = logger.getLevel();
    logger.setLevel(Level.OFF);
    Vertx vertx = Vertx.vertx();
    try {
      for (String missing : MOVED) {
        HttpServer server = create(vertx, new Without(List.of(missing)));
        assertThat(server).as("without %s", missing).isNotNull();
      }
      HttpServer plain = create(vertx, new Without(MOVED));
      assertThat(plain.getClass()).isEqualTo(vertx.createHttpServer().getClass());
    } finally {
      logger.setLevel(before);
      vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }

  /** By the classes of this package as the loader has them. */
  private static HttpServer create(Vertx vertx, ClassLoader loader)
      throws ReflectiveOperationException {
    Class<?> counts = loader.loadClass(PACKAGE + "ConnectionCounts");
    Class<?> connections = loader.loadClass(PACKAGE + "Connections");
    Object counted = counts.getConstructor(LimitOptions.class).newInstance(new LimitOptions());
    Constructor<?> constructor =
        connections.getConstructor(
            Vertx.class,
            LimitOptions.class,
            counts,
            loader.loadClass(PACKAGE + "RequestLimit"),
            boolean.class);
    Object watched = constructor.newInstance(vertx, new LimitOptions(), counted, null, false);
    Class<?> makers = loader.loadClass(PACKAGE + "ServerMaker");
    Object maker = makers.getMethod("best").invoke(null);
    Method create = makers.getMethod("create", Vertx.class, HttpServerOptions.class, connections);
    try {
      return (HttpServer) create.invoke(maker, vertx, new HttpServerOptions(), watched);
    } catch (InvocationTargetException e) {
      throw new AssertionError("no server is made", e.getCause());
    }
  }

  /** Loads these packages anew, and has not got some other classes. */
  private static final class Without extends ClassLoader {
    private final List<String> missing;

    Without(List<String> missing) {
      super(ServerMakerTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (missing.contains(name)) {
        throw new ClassNotFoundException(name);
      }
      if (ANEW.stream().noneMatch(name::startsWith)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
