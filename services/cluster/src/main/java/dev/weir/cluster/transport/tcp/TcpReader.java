package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.threads.Turn;
import dev.weir.queue.store.UninterruptibleThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that reads connections, of one group or of many, and waits for them in a selector. It
 * works the links and trunks whose connections are ready, and those that are woken.
 */
class TcpReader {
  /** What a reader works. */
  interface Readable {
    /** Of the other member. */
    String name();

    /** Whether it must not be worked any more; any thread. */
    boolean isEnded();

    /** Reads and writes as far as possible without blocking. */
    void work();

    /** Makes the selector also wait for room in the socket while there is something to write. */
    void select();
  }

  private static final Logger LOG = LoggerFactory.getLogger(TcpReader.class);

  private final UninterruptibleThread thread;
  private final Selector selector;
  private final Runnable onStart;
  private final Queue<Readable> woken = new ConcurrentLinkedQueue<>();
  private final Queue<CountDownLatch> turns = new ConcurrentLinkedQueue<>();

  // Used by the thread only.
  private final Set<Readable> due = new LinkedHashSet<>();

  /** The thread works; used by it only. */
  private boolean works;

  private volatile boolean closed;

  /**
   * A reader whose thread does not run yet.
   *
   * @param onStart called by the thread before anything else
   * @throws UncheckedIOException if the process has no more file descriptors
   */
  TcpReader(String name, Runnable onStart) {
    this.onStart = onStart;
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.thread = new UninterruptibleThread(this::loop, name);
  }

  final void start() {
    thread.start();
  }

  /** Begins to wait for what a connection receives; by this reader's thread. */
  SelectionKey register(SocketChannel channel, Readable readable) throws IOException {
    return channel.register(selector, SelectionKey.OP_READ, readable);
  }

  /** Has a link or trunk worked soon; any thread. */
  final void wake(Readable readable) {
    if (Thread.currentThread() == thread && works) {
      due.add(readable);
    } else if (!closed) {
      woken.add(readable);
      selector.wakeup();
    }
  }

  private void loop() {
    onStart.run();
    while (!closed) {
      try {
        // Links are worked after the selection, because the selector holds locks during it.
        if (due.isEmpty()) {
          selector.select(this::isReady);
        } else {
          selector.selectNow(this::isReady);
        }
      } catch (IOException | ClosedSelectorException e) {
        LOG.error("{} ends: it cannot wait for its connections", thread.getName(), e);
        return;
      }
      works = true;
      Turn.run(this::turn);
      works = false;
      for (CountDownLatch turn = turns.poll(); turn != null; turn = turns.poll()) {
        turn.countDown();
      }
    }
  }

  /**
   * Works what is due; what is not reached in time has the next turn, after a look at what else is
   * ready: a link that is always due would keep the others waiting.
   */
  private void turn() {
    long startNs = System.nanoTime();
    for (Readable next = woken.poll(); next != null; next = woken.poll()) {
      due.add(next);
    }
    boolean isTime = true;
    while (isTime && !due.isEmpty() && !closed) {
      Readable next = due.iterator().next();
      due.remove(next);
      work(next);
      isTime = System.nanoTime() - startNs < Turn.MAX_NS;
    }
  }

  private void work(Readable next) {
    if (next.isEnded()) {
      return;
    }
    try {
      try {
        next.work();
      } finally {
        next.select();
      }
    } catch (Throwable e) {
      LOG.error("an event of the connection to {} was not handled", next.name(), e);
    }
  }

  private void isReady(SelectionKey key) {
    due.add((Readable) key.attachment());
  }

  /** Waits until links that were ended before are not worked any more, unless by the caller. */
  final void awaitTurn() {
    if (thread == Thread.currentThread()) {
      return;
    }
    CountDownLatch turn = new CountDownLatch(1);
    turns.add(turn);
    selector.wakeup();
    boolean interrupted = false;
    while (turn.getCount() > 0 && thread.isAlive()) {
      try {
        turn.await(10, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Ends the thread, waits for that unless the thread itself is the caller, and closes the
   * selector.
   */
  final void close() {
    closed = true;
    selector.wakeup();
    if (thread != Thread.currentThread()) {
      thread.awaitEnd();
    }
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
