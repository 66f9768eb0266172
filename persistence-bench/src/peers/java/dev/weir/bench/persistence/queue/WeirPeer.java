package dev.weir.bench.persistence.queue;

import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;

/** weir-queue, as the peers are measured. */
record WeirPeer(QueueFixture queue, Durability durability) implements PeerQueue {
  @Override
  public long append(long count) {
    return queue.append(count, durability);
  }

  @Override
  public long drain(long count) {
    return queue.drain(count);
  }

  @Override
  public Verdict verdict() {
    return queue.verdict();
  }

  @Override
  public void close() {
    queue.close();
  }
}
