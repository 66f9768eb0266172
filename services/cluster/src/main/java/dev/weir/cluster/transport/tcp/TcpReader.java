package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.Transport;
import dev.weir.queue.store.UninterruptibleThread;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that reads all connections of a group, and waits for them in a selector. */
final class TcpReader {
  private static final Logger LOG = LoggerFactory.getLogger(TcpReader.class);

  private final UninterruptibleThread thread;
  private final Selector selector;
  private final TcpLink[] links;
  private final Transport.Receiver receiver;
  private final GroupThreads threads;
  private volatile boolean closed;

  TcpReader(
      String name,
      Selector selector,
      TcpLink[] links,
      Transport.Receiver receiver,
      GroupThreads threads) {
    this.selector = selector;
    this.links = links;
    this.receiver = receiver;
    this.threads = threads;
    this.thread = new UninterruptibleThread(this::loop, name);
  }

  void start() {
    thread.start();
  }

  private void loop() {
    threads.begin(GroupDuty.LINK_READER);
    while (!closed) {
      try {
        // Links are worked after the selection, because the selector holds locks during it.
        selector.select(TcpReader::isReady);
      } catch (IOException | ClosedSelectorException e) {
        LOG.error("{} ends: it cannot wait for its connections", thread.getName(), e);
        return;
      }
      for (TcpLink link : links) {
        if (link != null && !closed) {
          work(link);
        }
      }
    }
  }

  private void work(TcpLink link) {
    try {
      link.work(receiver);
    } catch (Throwable e) {
      LOG.error("an event of the connection to {} was not handled", link.name(), e);
    }
    link.select();
  }

  private static void isReady(SelectionKey key) {}

  /** Ends the thread, and waits for that unless the thread itself is the caller. */
  void close() {
    closed = true;
    selector.wakeup();
    if (thread != Thread.currentThread()) {
      thread.awaitEnd();
    }
  }
}
