package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.TestGroup;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import dev.weir.testing.Await;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same with a thread for each part of the work, and with one for each part alone. */
public class DetachedGroupReplicaTest extends GroupReplicaTest {
  @Override
  GroupOptions options() {
    return TestGroup.patient().setThreads(all(Waiting.BLOCK));
  }

  public static ThreadOptions all(Waiting waiting) {
    return new ThreadOptions()
        .setPersister(waiting)
        .setSender(waiting)
        .setDispatcher(waiting)
        .setReplies(waiting);
  }

  static Stream<UnaryOperator<ThreadOptions>> each() {
    return Stream.of(
        threads -> threads.setPersister(Waiting.BLOCK),
        threads -> threads.setSender(Waiting.BLOCK),
        threads -> threads.setDispatcher(Waiting.BLOCK),
        threads -> threads.setReplies(Waiting.BLOCK).setReplyQueueDepth(2),
        threads -> all(Waiting.SPIN));
  }

  @ParameterizedTest
  @MethodSource("each")
  void aBackupTakesOverWhateverThreadsThereAre(UnaryOperator<ThreadOptions> threads) {
    GroupOptions options = TestGroup.patient().setThreads(threads.apply(new ThreadOptions()));
    start(options, 2, false).awaitInSync(2);
    group.send(1, 300);
    int old = group.primary();
    group.kill(old);
    group.awaitPrimary();
    group.send(301, 400);
    group.start(old);
    group.awaitInSync(2);
    group.send(401, 500);
    assertThat(group.replies).containsEntry(500L, sum(500)).hasSize(500);
    assertThat(group.replyOrder).isEqualTo(Stream.iterate(1L, n -> n + 1).limit(500).toList());
  }

  @ParameterizedTest
  @MethodSource("each")
  void threadsSayWhatTheyAreForBeforeTheyDoIt(UnaryOperator<ThreadOptions> threads) {
    ThreadOptions own = threads.apply(new ThreadOptions());
    start(TestGroup.patient().setThreads(own), 1, false).awaitPrimary();
    List<GroupDuty> expected =
        Stream.of(
                GroupDuty.PROCESSOR,
                GroupDuty.FEEDER,
                own.getPersister() == null ? null : GroupDuty.PERSISTER,
                own.getSender() == null ? null : GroupDuty.SENDER,
                own.getDispatcher() == null ? null : GroupDuty.DISPATCHER,
                own.getReplies() == null ? null : GroupDuty.REPLIES)
            .filter(duty -> duty != null)
            .toList();
    Await.until(
        () -> expected + " have begun: " + group.duties,
        () -> group.duties.containsAll(expected) && group.duties.size() == expected.size());
  }
}
