package dev.weir.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final long ITEMS = 20_000;
  private static final int RARE = 9_000;

  private Promise<List<Long>> asked;
  private long askedFrom;

  /** As a store that lists one large item at once, later. */
  private Future<List<Long>> list(long from, int max) {
    asked = Promise.promise();
    askedFrom = from;
    return asked.future();
  }

  /** Returns how many lists were needed. */
  private int answerAll(Future<?> found) {
    int lists = 0;
    while (!found.isComplete()) {
      lists++;
      asked.complete(askedFrom < ITEMS ? List.of(askedFrom) : List.of());
    }
    return lists;
  }

  @Test
  void aSearchInManyShortListsIsAnsweredAndGoesOnWithTheNextPage() {
    List<Long> found = new ArrayList<>();
    Long from = 0L;
    while (from != null) {
      Future<Page<Long>> page =
          Page.find(
              this::list, item -> item, item -> item % RARE == 1, from, 10, Function.identity());

      assertThat(answerAll(page)).as("lists for one page").isBetween(1, 101);

      assertThat(page.cause()).isNull();
      found.addAll(page.result().items());
      from = page.result().nextNumber();
    }
    assertThat(found).containsExactly(1L, 9_001L, 18_001L);
  }
}
