package dev.weir.flow.impl;

import dev.weir.flow.ServiceDeadLetters;
import dev.weir.options.Checks;
import dev.weir.queue.DeadLetter;
import dev.weir.queue.DeadLetters;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.Callable;

/** The dead letters of a service's queue, with the messages as their handler would see them. */
final class StoredDeadLetters implements ServiceDeadLetters {
  private final Vertx vertx;
  private final String address;

  /** Null without a disk tier. */
  private final DeadLetters<Envelope> letters;

  StoredDeadLetters(Vertx vertx, String address, DeadLetters<Envelope> letters) {
    this.vertx = vertx;
    this.address = address;
    this.letters = letters;
  }

  @Override
  public long count() {
    return letters == null ? 0 : letters.count();
  }

  @Override
  public Future<List<Letter>> list(long fromNumber, int max) {
    return call(List.of(), () -> letters.list(fromNumber, max).stream().map(this::letter).toList());
  }

  private Letter letter(DeadLetter<Envelope> dead) {
    Envelope envelope = dead.message();
    String id = dead.options().id();
    return new Letter(
        dead.number(),
        id == null ? DurableSends.generatedId(address, dead.sequence()) : id,
        dead.options().key(),
        envelope == null ? null : body(envelope),
        envelope != null && envelope.isDecodable(),
        envelope == null ? MultiMap.caseInsensitiveMultiMap() : envelope.decodeHeaders(),
        dead.reason(),
        dead.deliveries(),
        dead.firstAttemptMs(),
        dead.lastAttemptMs(),
        dead.diedAtMs());
  }

  private static Object body(Envelope envelope) {
    return envelope.isDecodable() ? envelope.decodeBody() : envelope.encoded;
  }

  @Override
  public Future<DeadLetters.Mark> mark() {
    return call(DeadLetters.Mark.NONE, letters == null ? null : letters::mark);
  }

  @Override
  public Future<Boolean> requeue(long number) {
    return call(false, () -> letters.requeue(number));
  }

  @Override
  public Future<Long> requeueAll() {
    return call(0L, letters == null ? null : letters::requeueAll);
  }

  @Override
  public Future<Long> requeueAll(DeadLetters.Mark upTo) {
    Checks.notNull("upTo", upTo);
    return call(0L, () -> letters.requeueAll(upTo));
  }

  @Override
  public Future<Boolean> purge(long number) {
    return call(false, () -> letters.purge(number));
  }

  @Override
  public Future<Long> purgeAll() {
    return call(0L, letters == null ? null : letters::purgeAll);
  }

  @Override
  public Future<Long> purgeAll(DeadLetters.Mark upTo) {
    Checks.notNull("upTo", upTo);
    return call(0L, () -> letters.purgeAll(upTo));
  }

  private <V> Future<V> call(V none, Callable<V> work) {
    return letters == null ? Future.succeededFuture(none) : vertx.executeBlocking(work, false);
  }
}
