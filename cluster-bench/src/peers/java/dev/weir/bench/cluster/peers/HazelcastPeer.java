package dev.weir.bench.cluster.peers;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.ringbuffer.OverflowPolicy;
import com.hazelcast.ringbuffer.ReadResultSet;
import com.hazelcast.ringbuffer.Ringbuffer;
import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Two Hazelcast members, and a client of one map or one ringbuffer of theirs. */
final class HazelcastPeer {
  private static final Duration START = Duration.ofSeconds(180);
  private static final int HEAP_MIB = 256;
  private static final String NAME = "peer";

  /** Far more than a window has, so that no two calls in flight set the same key. */
  private static final int KEYS = 1 << 16;

  private static final int READ_ITEMS = 1000;

  private HazelcastPeer() {}

  /** A map of {@value #KEYS} keys, which are set one after another. */
  static PeerLog map() throws IOException, InterruptedException {
    Pair pair = Pair.start();
    return new MapLog(pair, pair.client.getMap(NAME));
  }

  /** A ringbuffer with the capacity that is Hazelcast's default. */
  static PeerLog ringbuffer() throws IOException, InterruptedException {
    Pair pair = Pair.start();
    return new RingbufferLog(pair, pair.client.getRingbuffer(NAME));
  }

  /** The members and the client. */
  private record Pair(List<ChildJvm> members, HazelcastInstance client) {
    static Pair start() throws IOException, InterruptedException {
      int[] ports = Ports.free(2);
      String id = Integer.toString(ports[0]);
      List<ChildJvm> members = new ArrayList<>();
      try {
        for (int i = 0; i < 2; i++) {
          List<String> arguments =
              List.of(Integer.toString(ports[i]), Integer.toString(ports[1 - i]), id);
          members.add(ChildJvm.start(ChildFlags.of(HEAP_MIB), HazelcastPeerMain.class, arguments));
        }
        for (ChildJvm member : members) {
          member.awaitLine(HazelcastPeerMain.READY, START);
        }
        ClientConfig config = new ClientConfig();
        config.setClusterName(HazelcastPeerMain.CLUSTER + "-" + id);
        config.setProperty("hazelcast.logging.type", "none");
        for (int port : ports) {
          config.getNetworkConfig().addAddress(HazelcastPeerMain.LOOPBACK + ":" + port);
        }
        return new Pair(members, HazelcastClient.newHazelcastClient(config));
      } catch (IOException | InterruptedException | RuntimeException e) {
        members.forEach(ChildJvm::close);
        throw e;
      }
    }

    void close() {
      client.shutdown();
      members.forEach(ChildJvm::close);
    }
  }

  private static final class MapLog implements PeerLog {
    private final Pair pair;
    private final IMap<Integer, byte[]> map;
    private long next;

    MapLog(Pair pair, IMap<Integer, byte[]> map) {
      this.pair = pair;
      this.map = map;
    }

    @Override
    public CompletionStage<?> append(byte[] body) {
      return map.setAsync((int) (next++ % KEYS), body);
    }

    @Override
    public Verdict verify(SentBodies sent) {
      long wrong = 0;
      for (long number = Math.max(0, sent.count() - KEYS); number < sent.count(); number++) {
        if (!sent.matches(number, map.get((int) (number % KEYS)))) {
          wrong++;
        }
      }
      return Verdict.ok().unless(wrong == 0, "keys without their last body " + wrong);
    }

    @Override
    public void close() {
      pair.close();
    }
  }

  private record RingbufferLog(Pair pair, Ringbuffer<byte[]> ringbuffer) implements PeerLog {
    @Override
    public CompletionStage<?> append(byte[] body) {
      return ringbuffer.addAsync(body, OverflowPolicy.OVERWRITE);
    }

    /** The sequence of an item is the number of its body, because one thread adds them in order. */
    @Override
    public Verdict verify(SentBodies sent) throws Exception {
      long tail = ringbuffer.tailSequence();
      long wrong = 0;
      for (long number = ringbuffer.headSequence(); number <= tail; ) {
        int most = (int) Math.min(READ_ITEMS, tail - number + 1);
        ReadResultSet<byte[]> items =
            ringbuffer.readManyAsync(number, 1, most, null).toCompletableFuture().get();
        for (byte[] item : items) {
          if (!sent.matches(number++, item)) {
            wrong++;
          }
        }
      }
      return Verdict.ok()
          .unless(tail + 1 == sent.count(), "items " + (tail + 1) + " of " + sent.count())
          .unless(wrong == 0, "items that are not the body of their sequence " + wrong);
    }

    @Override
    public void close() {
      pair.close();
    }
  }
}
