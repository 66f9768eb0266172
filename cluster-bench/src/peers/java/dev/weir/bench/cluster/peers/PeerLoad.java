package dev.weir.bench.cluster.peers;

import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.OpenLoop;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.record.Recording;
import java.io.Closeable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sends bodies to a peer: as many as a window allows, or at a rate. */
final class PeerLoad implements Closeable {
  private final PeerLog log;
  private final SentBodies sent;
  private final Recording recording = Recording.concurrent();
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "bench-peer-sender"));

  PeerLoad(PeerLog log, SentBodies sent) {
    this.log = log;
    this.sent = sent;
  }

  /** Takes the latencies of both kinds of rounds. */
  Recording recording() {
    return recording;
  }

  RoundResult saturated(long count, int window) throws InterruptedException {
    return new ClosedLoop(
            (operation, startNs, sink) -> send(operation, startNs, sink, sender),
            load(count),
            ClosedLoop.inFlight(window, count))
        .run(sender);
  }

  RoundResult paced(long count, double ratePerSec) throws InterruptedException {
    return new OpenLoop(
            (operation, startNs, sink) -> send(operation, startNs, sink, Runnable::run),
            load(count),
            ratePerSec)
        .run();
  }

  private Load load(long count) {
    return Load.of(count).recordingInto(recording);
  }

  private void send(long operation, long startNs, ReplySink sink, Executor replies) {
    log.append(sent.next())
        .whenCompleteAsync(
            (accepted, failure) -> {
              if (failure != null) {
                sink.onFailure(operation, startNs, failure);
              } else {
                sink.onReply(operation, startNs, Reply.OK);
              }
            },
            replies);
  }

  @Override
  public void close() {
    sender.shutdown();
  }
}
