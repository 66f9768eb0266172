package dev.weir.flow.impl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.RemoteConsumerStats;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.WeirOptions;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An Error while a service opens fails its serve, and leaves the address free. */
class FailedOpeningTest {
  private static final Error MISSING = new NoClassDefFoundError("a class is missing");

  /** Throws when the service begins to listen. */
  private static final class BrokenHandler implements CreditHandler {
    @Override
    public Future<Void> open(IntConsumer credits) {
      throw MISSING;
    }

    @Override
    public Future<?> handle(ServiceMessage<Object> message) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
      return Future.succeededFuture();
    }

    @Override
    public List<RemoteConsumerStats> consumers() {
      return List.of();
    }
  }

  @Test
  void anErrorWhileAServiceBeginsToListenFailsServe() {
    Vertx vertx = Vertx.vertx();
    ServiceRegistry registry = new ServiceRegistry(vertx, new WeirOptions());
    ServiceOptions options = new ServiceOptions().setDiskBytes(0);
    assertThat(Futures.failure("serve", registry.serve("service", options, new BrokenHandler())))
        .isSameAs(MISSING);

    Futures.result(
        "serve again",
        registry.serve("service", options, message -> Future.succeededFuture("again")));

    for (int i = 0; i < 10; i++) {
      assertThat(Futures.result("a reply", vertx.eventBus().request("service", "")).body())
          .isEqualTo("again");
    }
    Futures.result("the registry closes", registry.close());
    Futures.result("vert.x closes", vertx.close());
  }

  /** What could not be opened has nothing to close when its verticle ends. */
  @Test
  void aVerticleWhoseServeFailedIsUndeployedAfterItsRegistryIsClosed(@TempDir Path directory) {
    Vertx vertx = Vertx.vertx();
    ServiceRegistry registry =
        new ServiceRegistry(vertx, new WeirOptions().setDirectory(directory.toString()));
    VerticleBase verticle =
        new VerticleBase() {
          @Override
          public Future<?> start() {
            return registry
                .serve("service", new ServiceOptions(), new BrokenHandler())
                .otherwiseEmpty();
          }
        };
    String deployed = Futures.result("it is deployed", vertx.deployVerticle(verticle));
    Futures.result("the registry closes", registry.close());
    Futures.result("the verticle ends", vertx.undeploy(deployed));
    Futures.result("vert.x closes", vertx.close());
  }

  /** Serves in a program that lacks the library of the store. */
  static final class WithoutJe {
    private WithoutJe() {}

    public static void main(String[] args) throws Exception {
      Vertx vertx = Vertx.vertx();
      ServiceRegistry registry =
          new ServiceRegistry(vertx, new WeirOptions().setDirectory(args[0]));
      for (ServiceOptions options :
          List.of(
              new ServiceOptions(), new ServiceOptions(), new ServiceOptions().setDiskBytes(0))) {
        Future<String> end =
            registry
                .serve("service", options, message -> Future.succeededFuture("again"))
                .map("serves")
                .otherwise(failure -> failure.getClass().getSimpleName());
        System.out.println(Futures.result("serve", end));
      }
      System.out.println(Futures.result("a reply", vertx.eventBus().request("service", "")).body());
      Futures.result("the registry closes", registry.close());
      Futures.result("vert.x closes", vertx.close());
    }
  }

  @Tag("slow")
  @Test
  void anErrorWhileTheStoreOpensFailsServe(@TempDir Path directory) throws Exception {
    String withoutJe =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("sleepycat"))
            .collect(Collectors.joining(File.pathSeparator));
    try (ChildJvm child =
        ChildJvm.of(WithoutJe.class)
            .flags("-Xmx64m")
            .classPath(withoutJe)
            .start(directory.toString())) {
      assertThat(child.exitCode()).as("%s", child.lines()).isZero();
      assertThat(child.lines())
          .containsExactly("NoClassDefFoundError", "NoClassDefFoundError", "serves", "again");
    }
  }
}
