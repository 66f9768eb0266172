package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.faults.FaultLayer;
import dev.weir.testing.faults.FaultLayer.Call;
import dev.weir.testing.faults.FaultLayer.Errno;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A listing of the directory fails once while its store is opened. */
@Tag("slow")
class ListingFaultTest {
  @TempDir Path work;

  @Test
  void aListingThatFailsWhileAStoreIsOpenedCostsNothing() throws IOException {
    Path data = Files.createDirectory(work.resolve("documents"));
    FaultLayer layer = FaultLayer.create(work, data);
    try (ChildJvm child =
        ChildJvm.of(Child.class)
            .environment(layer.environment())
            .mergeErrors()
            .start(data.toString())) {
      assertThat(child.allLines()).hasSizeGreaterThan(5).last().isEqualTo("all is there");
    }
  }

  /** Opens a store; the first listing fails, then the second, and so on. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      Vertx vertx = Vertx.vertx();
      DocumentsOptions options =
          new DocumentsOptions().setDirectory(args[0]).setMinFreeBytes(1 << 20);
      Documents first = Documents.open(vertx, options).await();
      factory(first).put("key", new JsonObject().put("n", 1), WriteOptions.DEFAULT).await();
      first.close().await();
      FaultLayer layer = FaultLayer.ofThisProcess();
      boolean hit = true;
      for (int i = 0; hit; i++) {
        long failed = layer.failed();
        layer.fail(Errno.EMFILE, i, 1, Call.LIST);
        try {
          Documents.open(vertx, options).await().close().await();
        } catch (DocumentException e) {
          System.out.println("listing " + i + ": " + e.getMessage());
        }
        layer.heal();
        hit = layer.failed() > failed;
        Documents again = Documents.open(vertx, options).await();
        factory(again).get("key").await();
        again.close().await();
      }
      vertx.close().await();
      System.out.println("all is there");
    }

    private static DocumentFactory factory(Documents documents) {
      return documents.factory("counts", new FactoryOptions()).await();
    }
  }
}
