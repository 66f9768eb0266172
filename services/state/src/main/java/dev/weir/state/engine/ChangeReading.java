package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.CHANGES_GONE;

import dev.weir.state.ChangePage;
import dev.weir.state.DocumentChange;
import dev.weir.state.DocumentException;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.query.Filter;
import dev.weir.state.table.ChangeLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Reads a page of the changes of a factory, on the query thread. */
final class ChangeReading implements Reading {
  /** Changes that are read in one step. */
  private static final int CHUNK = 256;

  /** Changes that one page may look at, so that no request takes for ever. */
  private static final int MAX_LOOKS = 10_000;

  /** Bytes of changes in one page, above which it ends. */
  private static final long MAX_PAGE_BYTES = 256 << 10;

  private static final int CHANGE_BYTES = 200;

  private final FactoryCore factory;
  private final Filter filter;
  private final int limit;
  private final Held held;
  private final BiConsumer<ChangePage, Throwable> done;
  private final List<DocumentChange> found = new ArrayList<>();

  /** All up to here was looked at. */
  private long position;

  private long bytes;
  private int looks;

  /**
   * @param from the position behind which changes are read
   * @param held counts what is read
   * @param done gets the page, or the failure
   */
  ChangeReading(
      FactoryCore factory,
      Filter filter,
      long from,
      int limit,
      Held held,
      BiConsumer<ChangePage, Throwable> done) {
    this.factory = factory;
    this.filter = filter;
    this.position = from;
    this.limit = limit;
    this.held = held;
    this.done = done;
  }

  @Override
  public void fail(Throwable failure) {
    held.release();
    done.accept(null, failure);
  }

  @Override
  public boolean run(Search.Memory memory) {
    ChangeLog log = factory.tables.changes();
    long last = factory.feed.published();
    if (looks == 0) {
      requireKnown(log, last);
    }
    long start = position;
    int before = looks;
    log.scan(
        start,
        last,
        change -> {
          look(change);
          return looks - before < CHUNK && !isFull();
        });
    if (start < log.floor()) {
      throw gone(start, log);
    }
    if (looks - before == CHUNK && !isFull()) {
      return true;
    }
    ChangePage page = new ChangePage(List.copyOf(found), position);
    held.deliver(() -> done.accept(page, null));
    return false;
  }

  private boolean isFull() {
    return found.size() >= limit || looks >= MAX_LOOKS || bytes >= MAX_PAGE_BYTES;
  }

  private void requireKnown(ChangeLog log, long last) {
    if (position < log.floor()) {
      throw gone(position, log);
    }
    if (position > last || position > log.floor() && !log.has(position)) {
      throw new DocumentException(
          CHANGES_GONE,
          "factory "
              + factory.name
              + " has no change at position "
              + position
              + ", its last one is at "
              + last);
    }
  }

  private DocumentException gone(long from, ChangeLog log) {
    return new DocumentException(
        CHANGES_GONE,
        "factory "
            + factory.name
            + " has not all changes behind position "
            + from
            + " any more, it has those behind "
            + log.floor());
  }

  private void look(LoggedChange change) {
    looks++;
    position = change.position();
    DocumentChange told = change.told(filter == Filter.ALL ? null : filter::test);
    if (told != null) {
      found.add(told);
      bytes +=
          CHANGE_BYTES
              + told.key().length()
              + (told.document() == null ? 0 : told.document().bytes());
      held.cover(bytes);
    }
  }
}
