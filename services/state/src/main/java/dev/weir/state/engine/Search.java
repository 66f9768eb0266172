package dev.weir.state.engine;

import dev.weir.state.Document;
import dev.weir.state.QueryPage;
import dev.weir.state.change.State;
import dev.weir.state.query.Plan;
import dev.weir.state.table.Range;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** A query or a count under way, on the query thread. */
final class Search implements Reading {
  /** Entries that are read at once, before their documents are looked at. */
  private static final int CHUNK = 256;

  /** Entries that one page may look at, so that no request takes for ever. */
  private static final int MAX_LOOKS = 100_000;

  /** Bytes of documents in one page, above which it ends. */
  static final long MAX_PAGE_BYTES = 4 << 20;

  /** Estimated heap of a document that was found, without its content. */
  private static final int DOCUMENT_BYTES = 100;

  /** The documents in memory. */
  interface Memory {
    /**
     * Finds a document; null if it is not there.
     *
     * @param committed whether it is not to be found while a change of it waits for its commit
     */
    State peek(FactoryCore factory, String key, boolean committed);
  }

  private final FactoryCore factory;
  private final Plan plan;
  private final boolean counts;
  private final long pageBytes;
  private final Held held;
  private final BiConsumer<Object, Throwable> done;
  private final List<Document> found = new ArrayList<>();

  /** The entry that was looked at last; null before the first one. */
  private byte[] last;

  private long count;
  private long bytes;
  private int looks;

  /**
   * @param pageBytes bytes of documents in one page, above which it ends
   * @param held counts what is found
   * @param done gets a number if the search counts, or else a page; or the failure
   */
  Search(
      FactoryCore factory,
      Plan plan,
      boolean counts,
      long pageBytes,
      Held held,
      BiConsumer<Object, Throwable> done) {
    this.factory = factory;
    this.plan = plan;
    this.counts = counts;
    this.pageBytes = pageBytes;
    this.held = held;
    this.done = done;
    this.last = plan.after();
  }

  @Override
  public void fail(Throwable failure) {
    held.release();
    done.accept(null, failure);
  }

  /** Looks at one chunk. */
  @Override
  public boolean run(Memory memory) {
    List<byte[]> chunk = read();
    for (byte[] entry : chunk) {
      last = entry;
      looks++;
      look(memory, entry);
      if (!counts && isFull()) {
        end(new QueryPage(List.copyOf(found), plan.cursor(last)));
        return false;
      }
    }
    if (chunk.size() == CHUNK) {
      return true;
    }
    end(counts ? (Object) count : new QueryPage(List.copyOf(found), null));
    return false;
  }

  private void end(Object result) {
    held.deliver(() -> done.accept(result, null));
  }

  private boolean isFull() {
    return found.size() >= plan.limit() || looks >= MAX_LOOKS || bytes >= pageBytes;
  }

  private List<byte[]> read() {
    List<byte[]> chunk = new ArrayList<>();
    Range range = Range.behind(plan.bounds(), last, plan.descending());
    if (plan.field() == null) {
      factory.tables.scanKeys(range, entry -> chunk.add(entry) && chunk.size() < CHUNK);
    } else {
      factory.tables.scanIndex(range, entry -> chunk.add(entry) && chunk.size() < CHUNK);
    }
    return chunk;
  }

  private void look(Memory memory, byte[] entry) {
    byte[] keyBytes = plan.keyOf(entry);
    String key = new String(keyBytes, StandardCharsets.UTF_8);
    State state = memory.peek(factory, key, true);
    if (state == null) {
      state = factory.tables.get(keyBytes);
    }
    if (!state.isLive(System.currentTimeMillis())) {
      return;
    }
    Document document = state.document(key);
    if (!plan.accepts(document, entry)) {
      return;
    }
    count++;
    if (!counts) {
      found.add(document);
      bytes += document.bytes();
      held.cover(bytes + (long) DOCUMENT_BYTES * found.size());
    }
  }
}
