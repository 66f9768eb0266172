package dev.weir.state.engine;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.change.State;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Reads what is kept of one document, if the document exists.
 *
 * @param <T> what is read
 */
final class VersionReading<T> implements Reading {
  private final FactoryCore factory;
  private final String key;
  private final byte[] keyBytes;
  private final Function<State, T> read;
  private final Held held;
  private final BiConsumer<T, Throwable> done;

  /**
   * @param read gets the current state, which is not absent
   * @param held counts what is read
   * @param done gets what was read, or the failure
   */
  VersionReading(
      FactoryCore factory,
      String key,
      byte[] keyBytes,
      Function<State, T> read,
      Held held,
      BiConsumer<T, Throwable> done) {
    this.factory = factory;
    this.key = key;
    this.keyBytes = keyBytes;
    this.read = read;
    this.held = held;
    this.done = done;
  }

  @Override
  public boolean run(Search.Memory memory) {
    State current = memory.peek(factory, key, false);
    if (current == null) {
      current = factory.tables.get(keyBytes);
    }
    if (!current.isLive(System.currentTimeMillis())) {
      throw new DocumentException(DocumentFailure.NOT_FOUND, "document " + key + " does not exist");
    }
    T result = read.apply(current);
    held.cover(result instanceof State kept ? kept.bytes() : current.bytes());
    factory.ended(false);
    held.deliver(() -> done.accept(result, null));
    return false;
  }

  @Override
  public void fail(Throwable failure) {
    held.release();
    factory.ended(true);
    done.accept(null, failure);
  }
}
