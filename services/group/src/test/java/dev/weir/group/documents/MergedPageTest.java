package dev.weir.group.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.Document;
import dev.weir.state.DocumentFormat;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import dev.weir.state.index.IndexFields;
import dev.weir.state.query.Plan;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Shards that look at few keys at a time, and of which many keys do not match. */
class MergedPageTest {
  private static final int LOOKS = 3;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<TreeSet<String>> shards = new ArrayList<>();
  private final TreeSet<String> matching = new TreeSet<>();

  private void fill(int keys, int matchingPercent) {
    for (int i = 0; i < 1 + random.nextInt(5); i++) {
      shards.add(new TreeSet<>());
    }
    for (int i = 0; i < keys; i++) {
      String key = "k" + random.nextInt(10_000);
      if (shards.stream().noneMatch(shard -> shard.contains(key))) {
        shards.get(random.nextInt(shards.size())).add(key);
        if (random.nextInt(100) < matchingPercent) {
          matching.add(key);
        }
      }
    }
  }

  /** What a step in one shard gives. */
  private Future<ShardPage> ask(int shard, Query query, int limit) {
    Plan plan = Plan.of(query, "cars", IndexFields.NONE);
    String after = plan.after() == null ? null : ShardTables.text(plan.after());
    boolean descending = query.isDescending();
    var keys = descending ? shards.get(shard).descendingSet() : shards.get(shard);
    if (after != null) {
      keys = keys.tailSet(after, false);
    }
    List<ShardPage.Found> found = new ArrayList<>();
    byte[] last = plan.after();
    int looks = 0;
    for (String key : keys) {
      if (looks == LOOKS || found.size() == limit) {
        return Future.succeededFuture(new ShardPage(true, 0, last, found));
      }
      last = key.getBytes(StandardCharsets.UTF_8);
      looks++;
      if (matching.contains(key)) {
        byte[] content = "{}".getBytes(StandardCharsets.UTF_8);
        State state = new State(1, 0, content, DocumentFormat.JSON);
        found.add(new ShardPage.Found(last, Records.encode(state)));
      }
    }
    return Future.succeededFuture(new ShardPage(false, 0, last, found));
  }

  private List<String> all(int limit, boolean descending) {
    List<String> all = new ArrayList<>();
    Query query = new Query().setLimit(limit).setDescending(descending);
    int pages = 0;
    do {
      Plan plan = Plan.of(query, "cars", IndexFields.NONE);
      QueryPage page =
          new MergedPage(
                  plan,
                  shards.size(),
                  (shard, cursor, most) -> ask(shard, new Query(query).setCursor(cursor), most))
              .page()
              .result();
      assertThat(page.documents().size()).isLessThanOrEqualTo(limit);
      page.documents().stream().map(Document::key).forEach(all::add);
      query.setCursor(page.cursor());
      assertThat(++pages).as("pages, seed %d", seed).isLessThan(5_000);
    } while (query.getCursor() != null);
    return all;
  }

  @Test
  void pagesHaveEachDocumentOnceInOrderHoweverLittleTheShardsTell() {
    for (int round = 0; round < 300; round++) {
      shards.clear();
      matching.clear();
      fill(random.nextInt(1_000), round % 3 == 0 ? 1 : random.nextInt(101));
      boolean descending = random.nextBoolean();
      List<String> expected = new ArrayList<>(matching);
      if (descending) {
        Collections.reverse(expected);
      }
      assertThat(all(1 + random.nextInt(40), descending)).as("seed %d", seed).isEqualTo(expected);
    }
  }
}
