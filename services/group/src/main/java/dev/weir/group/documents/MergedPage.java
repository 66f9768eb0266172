package dev.weir.group.documents;

import dev.weir.state.Document;
import dev.weir.state.QueryPage;
import dev.weir.state.change.Records;
import dev.weir.state.query.Plan;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A page of a query made of the pages of all shards. Entries of all shards have one order, so a
 * cursor is an entry, as in a store of one node: what is before it was looked at in every shard.
 */
final class MergedPage {
  /** Questions to each shard at most, so that no page takes for ever. */
  private static final int MAX_ROUNDS = 50;

  private static final long MAX_BYTES = 4 << 20;
  private static final int LEAST_ASKED = 16;

  /** Asks a shard for what is behind a cursor. */
  interface Asker {
    Future<ShardPage> ask(int shard, String cursor, int limit);
  }

  private final Plan plan;
  private final Asker asker;
  private final int asked;
  private final Comparator<byte[]> order;
  private final List<Shard> shards;
  private final List<Document> documents = new ArrayList<>();
  private byte[] last;
  private long bytes;
  private int rounds;

  /** What one shard has told. */
  private static final class Shard {
    private final ArrayDeque<ShardPage.Found> found = new ArrayDeque<>();
    private boolean hasMore = true;

    /** The entry that it looked at last; null before the first one. */
    private byte[] last;

    Shard(byte[] last) {
      this.last = last;
    }

    boolean isStarving() {
      return found.isEmpty() && hasMore;
    }

    void take(ShardPage page) {
      found.addAll(page.found());
      hasMore = page.hasMore();
      last = page.last();
    }
  }

  MergedPage(Plan plan, int shards, Asker asker) {
    this.plan = plan;
    this.asker = asker;
    this.asked = Math.min(plan.limit(), Math.max(LEAST_ASKED, 2 * plan.limit() / shards));
    Comparator<byte[]> ascending = Arrays::compareUnsigned;
    this.order = plan.descending() ? ascending.reversed() : ascending;
    this.last = plan.after();
    this.shards = IntStream.range(0, shards).mapToObj(shard -> new Shard(last)).toList();
  }

  Future<QueryPage> page() {
    rounds++;
    return Future.all(
            IntStream.range(0, shards.size())
                .filter(shard -> shards.get(shard).isStarving())
                .mapToObj(this::ask)
                .toList())
        .compose(
            all -> {
              merge();
              boolean starves = shards.stream().anyMatch(Shard::isStarving);
              return starves && !isFull() && rounds < MAX_ROUNDS
                  ? page()
                  : Future.succeededFuture(new QueryPage(List.copyOf(documents), cursor()));
            });
  }

  private Future<?> ask(int number) {
    Shard shard = shards.get(number);
    String cursor = shard.last == null ? null : plan.cursor(shard.last);
    return asker.ask(number, cursor, asked).onSuccess(shard::take);
  }

  private boolean isFull() {
    return documents.size() >= plan.limit() || bytes >= MAX_BYTES;
  }

  /** Takes documents in order, as long as no shard may have an earlier one. */
  private void merge() {
    byte[] known = known();
    while (!isFull()) {
      Shard first = null;
      for (Shard shard : shards) {
        if (!shard.found.isEmpty()
            && (first == null
                || order.compare(shard.found.peek().entry(), first.found.peek().entry()) < 0)) {
          first = shard;
        }
      }
      if (first == null || known != null && order.compare(first.found.peek().entry(), known) > 0) {
        return;
      }
      ShardPage.Found next = first.found.poll();
      String key = ShardTables.text(plan.keyOf(next.entry()));
      Document document = Records.decode(next.record()).document(key);
      documents.add(document);
      bytes += document.bytes();
      last = next.entry();
      if (first.isStarving()) {
        known = known();
      }
    }
  }

  /** Up to where all shards were looked through that have no document here; null for the end. */
  private byte[] known() {
    return shards.stream()
        .filter(Shard::isStarving)
        .map(shard -> shard.last)
        .min(order)
        .orElse(null);
  }

  /** Null if there is nothing behind this page. */
  private String cursor() {
    if (shards.stream().allMatch(shard -> shard.found.isEmpty() && !shard.hasMore)) {
      return null;
    }
    byte[] known = known();
    boolean isFurther = known != null && (last == null || order.compare(known, last) > 0);
    return plan.cursor(isFurther && !isFull() ? known : last);
  }
}
