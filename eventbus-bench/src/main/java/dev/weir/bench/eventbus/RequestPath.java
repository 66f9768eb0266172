package dev.weir.bench.eventbus;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import io.vertx.core.internal.ContextInternal;
import java.util.List;
import java.util.function.Function;

/** The ways of a request, from the floor up. */
enum RequestPath {
  /** A plain consumer that replies at once: no pool. */
  RAW_BUS("raw-bus"),
  /** A pool whose memory tier takes all that waits. */
  MEMORY("memory"),
  /** A pool with a tiny memory tier: nearly all that waits goes through the disk tier. */
  OVERFLOW("overflow"),
  /** The same, but all of that is written to disk and read back. */
  OVERFLOW_WRITTEN("overflow-written");

  /** Messages the memory tier of {@link #OVERFLOW} takes. */
  static final int OVERFLOW_MEMORY_MESSAGES = 20;

  /** Workers of each pool. */
  static final int WORKERS = 200;

  /** Bytes that may wait to be written: more than all that is in flight in any case. */
  static final long WRITE_BUFFER_BYTES = 256L << 20;

  private final String label;

  RequestPath(String label) {
    this.label = label;
  }

  boolean hasPool() {
    return this != RAW_BUS;
  }

  /**
   * The ways in the order they are measured, those side by side that leave each other alone: first
   * what needs no disk, last what writes most, because the system goes on writing pages back long
   * after a round is over.
   */
  static final List<List<RequestPath>> STAGES =
      List.of(List.of(RAW_BUS, MEMORY), List.of(OVERFLOW), List.of(OVERFLOW_WRITTEN));

  /** Has a disk tier. */
  boolean overflows() {
    return this == OVERFLOW || this == OVERFLOW_WRITTEN;
  }

  private ServiceOptions options() {
    ServiceOptions options = new ServiceOptions().setWorkers(WORKERS);
    return this == MEMORY
        ? options
            .setMemoryMessages(Integer.MAX_VALUE)
            .setMemoryBytes(Long.MAX_VALUE)
            .setDiskBytes(0)
        : options
            .setMemoryMessages(OVERFLOW_MEMORY_MESSAGES)
            .setWriteBufferBytes(WRITE_BUFFER_BYTES)
            .setWriteThrough(this == OVERFLOW_WRITTEN);
  }

  /**
   * Starts the receiving end.
   *
   * @param backEnd what the handler of a pool waits for: one that is done at once would never let a
   *     queue form
   * @param reply makes the reply of a body, checking the body
   * @return the service, or null without a pool
   */
  Service open(
      Stage stage,
      ContextInternal receiver,
      String address,
      BackEnd backEnd,
      Function<Object, Object> reply)
      throws InterruptedException {
    if (!hasPool()) {
      stage.consume(receiver, address, message -> message.reply(reply.apply(message.body())));
      return null;
    }
    return stage.serve(
        receiver, address, options(), message -> backEnd.later(reply.apply(message.body())));
  }

  @Override
  public String toString() {
    return label;
  }
}
