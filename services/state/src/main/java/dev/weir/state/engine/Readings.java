package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.options.ByteBudget;
import dev.weir.state.ChangePage;
import dev.weir.state.ChangeQuery;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentVersion;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.change.State;
import dev.weir.state.query.Filter;
import dev.weir.state.query.Plan;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** What is read of factories beside single documents: queries, kept versions, changes. */
public final class Readings {
  /** A page has this part of the budget at most, because its answer takes about as much. */
  private static final int PAGES_IN_BUDGET = 4;

  private final QueryThread queries;
  private final StreamSlots streams;
  private final ByteBudget inFlight;
  private final long pageBytes;
  private volatile boolean closing;

  /**
   * @param memory finds documents in memory
   * @param maxStreams streams of changes at a time
   * @param inFlight what is read is taken of it, until whoever asked gets it
   */
  Readings(Search.Memory memory, int maxStreams, ByteBudget inFlight) {
    this.queries = new QueryThread(memory);
    this.streams = new StreamSlots(maxStreams);
    this.inFlight = inFlight;
    this.pageBytes = Math.min(Search.MAX_PAGE_BYTES, inFlight.limitBytes() / PAGES_IN_BUDGET);
  }

  /**
   * Looks for a page of documents.
   *
   * @param delivery runs on the thread of whoever asks; gets what is found, and what fails may be
   *     told on any thread
   * @param done gets the page, or the failure
   */
  public void query(
      FactoryCore factory, Query query, Executor delivery, BiConsumer<QueryPage, Throwable> done) {
    find(factory, query, false, delivery, done);
  }

  /** Counts the documents that match; gives them as a page without documents. */
  public void count(
      FactoryCore factory, Query query, Executor delivery, BiConsumer<Long, Throwable> done) {
    Query all = new Query().setFilter(query.getFilter());
    find(factory, all, true, delivery, done);
  }

  private <T> void find(
      FactoryCore factory,
      Query query,
      boolean counts,
      Executor delivery,
      BiConsumer<T, Throwable> done) {
    BiConsumer<T, Throwable> counted =
        (result, failure) -> {
          factory.queried(failure);
          done.accept(result, failure);
        };
    add(factory, query, counts, delivery, counted);
  }

  @SuppressWarnings("unchecked") // a count is told as a number, a query as a page
  private <T> void add(
      FactoryCore factory,
      Query query,
      boolean counts,
      Executor delivery,
      BiConsumer<T, Throwable> done) {
    Search search;
    try {
      if (closing) {
        throw Engine.closed();
      }
      Plan plan = Plan.of(query, factory.name, factory.fields);
      Held held = new Held(inFlight, delivery);
      search =
          new Search(factory, plan, counts, pageBytes, held, (BiConsumer<Object, Throwable>) done);
    } catch (RuntimeException e) {
      done.accept(null, e);
      return;
    }
    queries.add(search);
  }

  /**
   * Reads a version of a document.
   *
   * @param done gets the version, or the failure
   */
  public void version(
      FactoryCore factory,
      String key,
      long version,
      Executor delivery,
      BiConsumer<State, Throwable> done) {
    readKept(
        factory,
        key,
        (keyBytes, current) ->
            current.version() == version
                ? current
                : factory.version(key, keyBytes, version, current),
        delivery,
        done);
  }

  /**
   * Lists the kept versions of a document, the newest first.
   *
   * @param done gets the list, or the failure
   */
  public void versions(
      FactoryCore factory,
      String key,
      Executor delivery,
      BiConsumer<List<DocumentVersion>, Throwable> done) {
    readKept(
        factory,
        key,
        (keyBytes, current) -> factory.versions(keyBytes, current.version()),
        delivery,
        done);
  }

  /**
   * Reads a page of the changes of a factory; does not wait for any.
   *
   * @param done gets the page, or the failure
   */
  public void changes(
      FactoryCore factory,
      ChangeQuery query,
      Executor delivery,
      BiConsumer<ChangePage, Throwable> done) {
    ChangeReading reading;
    try {
      if (closing) {
        throw Engine.closed();
      }
      if (factory.feed == null) {
        throw new DocumentException(
            BAD_REQUEST,
            "factory " + factory.name + " has no log of changes: its changeLogBytes is 0");
      }
      Filter filter = Plan.filter(query.getFilter(), factory.name, factory.fields);
      long from = query.getFrom() == null ? factory.feed.published() : query.getFrom();
      Held held = new Held(inFlight, delivery);
      reading = new ChangeReading(factory, filter, from, query.getLimit(), held, done);
    } catch (DocumentException e) {
      done.accept(null, e);
      return;
    }
    queries.add(reading);
  }

  /**
   * Waits for a change of a factory behind a position, or for the end of the store.
   *
   * @param told called once, on any thread; must be quick
   */
  public void awaitChange(FactoryCore factory, long after, Runnable told) {
    factory.feed.await(after, told);
    if (closing) {
      factory.feed.wake();
    }
  }

  /** Ends a wait; false if there is none. */
  public boolean cancelWait(FactoryCore factory, Runnable told) {
    return factory.feed != null && factory.feed.cancel(told);
  }

  private <T> void readKept(
      FactoryCore factory,
      String key,
      BiFunction<byte[], State, T> read,
      Executor delivery,
      BiConsumer<T, Throwable> done) {
    VersionReading<T> reading;
    factory.read();
    try {
      if (closing) {
        throw Engine.closed();
      }
      byte[] bytes = Keys.bytes(factory, key);
      reading =
          new VersionReading<>(
              factory,
              key,
              bytes,
              current -> read.apply(bytes, current),
              new Held(inFlight, delivery),
              done);
    } catch (DocumentException e) {
      factory.ended(true);
      done.accept(null, e);
      return;
    }
    queries.add(reading);
  }

  /** The streams of changes that are open. */
  public StreamSlots streams() {
    return streams;
  }

  /** Ends all waits for changes of these factories, and refuses what comes later. */
  void close(Collection<FactoryCore> factories) {
    closing = true;
    factories.stream().filter(FactoryCore::logsChanges).forEach(each -> each.feed.wake());
    queries.close();
  }
}
