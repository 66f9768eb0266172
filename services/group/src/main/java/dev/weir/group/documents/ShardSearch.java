package dev.weir.group.documents;

import dev.weir.state.Document;
import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import dev.weir.state.query.Plan;
import dev.weir.state.table.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A step of a query in one shard; short, because the shard does nothing else meanwhile. */
final class ShardSearch {
  /** Members of the question: the query, and whether documents are only counted. */
  static final String QUERY = "query";

  static final String COUNTS = "counts";

  private static final int MAX_LOOKS = 500;
  private static final int MAX_BYTES = 256 << 10;

  private final ShardTables tables;
  private final Plan plan;
  private final boolean counts;
  private final long nowMs;
  private final CallTime time;
  private final List<ShardPage.Found> found = new ArrayList<>();
  private byte[] last;
  private boolean hasMore;
  private long count;
  private int looks;
  private int bytes;

  ShardSearch(ShardTables tables, Plan plan, boolean counts, long nowMs, CallTime time) {
    this.tables = tables;
    this.plan = plan;
    this.counts = counts;
    this.nowMs = nowMs;
    this.time = time;
    this.last = plan.after();
  }

  ShardPage run() {
    Predicate<byte[]> visitor =
        entry -> {
          if (isFull()) {
            hasMore = true;
            return false;
          }
          look(entry);
          return true;
        };
    Range range = Range.behind(plan.bounds(), last, plan.descending());
    if (plan.field() == null) {
      tables.scanKeys(range, visitor);
    } else {
      tables.scanIndex(range, visitor);
    }
    return new ShardPage(hasMore, count, last, found);
  }

  private boolean isFull() {
    return looks >= MAX_LOOKS
        || bytes >= MAX_BYTES
        || !counts && found.size() >= plan.limit()
        || looks > 0 && time.isOver();
  }

  private void look(byte[] entry) {
    last = entry;
    looks++;
    String key = ShardTables.text(plan.keyOf(entry));
    State state = tables.get(key);
    if (!state.isLive(nowMs)) {
      return;
    }
    Document document = state.document(key);
    bytes += document.bytes();
    if (plan.accepts(document, entry)) {
      count++;
      if (!counts) {
        found.add(new ShardPage.Found(entry, Records.encode(state)));
      }
    }
  }
}
