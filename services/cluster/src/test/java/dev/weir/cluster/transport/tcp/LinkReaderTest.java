package dev.weir.cluster.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.TransportNode;
import dev.weir.cluster.transport.TransportTestBase;
import dev.weir.testing.Await;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which thread of a group says that it reads the links, where frames travel by TCP. */
class LinkReaderTest extends TransportTestBase {
  private final Map<String, Peer> addresses = new ConcurrentHashMap<>();

  @Override
  public TransportNode openNode(String name) {
    return new TcpNode(new NodeOptions().setMemberName(name), addresses);
  }

  @Override
  public Waiting waiting() {
    return Waiting.BLOCK;
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "BLOCK, none, weir-tcp-a-processor",
        "BLOCK, BLOCK, weir-tcp-a-processor",
        "SPIN, none, none",
        "SPIN, BLOCK, weir-link-reader-processor"
      })
  void saysSoOnceBeforeAnythingIsRead(Waiting link, Waiting dispatcher, String reader) {
    GroupOptions options =
        group("a", "b")
            .setPersistence(false)
            .setAckLevel(AckLevel.RECEIVED)
            .setWaiting(link)
            .setLinkWaiting(link)
            .setThreads(new ThreadOptions().setDispatcher(dispatcher))
            // More threads may spin than there are CPUs: silence is to prove nothing.
            .setLeaseMs(10_000)
            .setTakeoverMs(20_000);
    List<String> readers = new CopyOnWriteArrayList<>();
    start(options, "a", duty -> addReader(duty, readers));
    ProcessorGroup b = start(options, "b", duty -> {});
    // Each has read from the other.
    Await.until("both are in sync: " + b.stats(), () -> b.stats().inSync() == 2);
    assertThat(readers).isEqualTo(reader == null ? List.of() : List.of(reader));
  }

  private static void addReader(GroupDuty duty, List<String> readers) {
    if (duty == GroupDuty.LINK_READER) {
      readers.add(Thread.currentThread().getName());
    }
  }

  private ProcessorGroup start(GroupOptions options, String self, Consumer<GroupDuty> onThread) {
    TcpNode node = (TcpNode) node(self);
    return closeLater(
        new GroupBuilder(
                options,
                (o, agreement, threads) ->
                    new GroupBuilder.Place(
                        o.getMembers().indexOf(self), null, node.transport(o, self, threads)),
                group -> {})
            .processor(new SumProcessor(Long.MIN_VALUE))
            .replies((client, sequence, buffer, offset, length) -> {})
            .onThread(onThread)
            .start());
  }
}
