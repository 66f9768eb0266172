package dev.weir.cluster.transport.tcp;

import dev.weir.queue.store.UninterruptibleThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that reads connections, of one group or of many, and waits for them in a selector. It
 * works the links whose connections are ready, and those that are woken.
 */
class TcpReader {
  private static final Logger LOG = LoggerFactory.getLogger(TcpReader.class);

  private final UninterruptibleThread thread;
  private final Selector selector;
  private final Runnable onStart;
  private final Queue<TcpLink> woken = new ConcurrentLinkedQueue<>();
  private final Queue<CountDownLatch> turns = new ConcurrentLinkedQueue<>();

  /** Used by the thread only. */
  private final List<TcpLink> due = new ArrayList<>();

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

  /** Begins to wait for what a connection of the link receives; by this reader's thread. */
  SelectionKey register(SocketChannel channel, TcpLink link) throws IOException {
    return channel.register(selector, SelectionKey.OP_READ, link);
  }

  /** Has a link worked soon; any thread. */
  final void wake(TcpLink link) {
    woken.add(link);
    selector.wakeup();
  }

  private void loop() {
    onStart.run();
    while (!closed) {
      try {
        // Links are worked after the selection, because the selector holds locks during it.
        selector.select(this::isReady);
      } catch (IOException | ClosedSelectorException e) {
        LOG.error("{} ends: it cannot wait for its connections", thread.getName(), e);
        return;
      }
      for (TcpLink link = woken.poll(); link != null; link = woken.poll()) {
        due.add(link);
      }
      for (int i = 0; i < due.size() && !closed; i++) {
        work(due.get(i));
      }
      due.clear();
      for (CountDownLatch turn = turns.poll(); turn != null; turn = turns.poll()) {
        turn.countDown();
      }
    }
  }

  private void work(TcpLink link) {
    if (link.isEnded()) {
      return;
    }
    try {
      try {
        link.work();
      } finally {
        link.select();
      }
    } catch (Throwable e) {
      LOG.error("an event of the connection to {} was not handled", link.name(), e);
    }
  }

  private void isReady(SelectionKey key) {
    due.add((TcpLink) key.attachment());
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
