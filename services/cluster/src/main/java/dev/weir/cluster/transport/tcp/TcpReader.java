package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.Transport;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that reads a group's connections and waits for them in a selector. */
final class TcpReader {
  private static final Logger LOG = LoggerFactory.getLogger(TcpReader.class);

  private final Thread thread;
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
    this.thread = new Thread(this::loop, name);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void loop() {
    threads.begin(GroupDuty.LINK_READER);
    while (!closed) {
      try {
        // The links are worked after the selector has given up its locks.
        selector.select(TcpReader::isReady);
      } catch (IOException | ClosedSelectorException e) {
        LOG.error("{} cannot wait for its connections any more", thread.getName(), e);
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
    } catch (RuntimeException | Error e) {
      LOG.error("what happened to the connection of {} was not handled", link.name(), e);
    }
    link.select();
  }

  private static void isReady(SelectionKey key) {}

  /** Ends the thread and waits for it, unless it is the caller. */
  void close() {
    closed = true;
    selector.wakeup();
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
