package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import dev.weir.cluster.State;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.TestGroup;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message whose handler throws costs one failed reply, and never a member. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RejectedMessageTest {
  private static final long BAD = 5;

  @TempDir Path directory;
  private TestGroup group;

  @BeforeAll
  static void quiet() {
    QuietLog.set();
  }

  @AfterEach
  void close() {
    if (group != null) {
      group.close();
    }
  }

  private void start(boolean stateReplicated) {
    group = new TestGroup(TestGroup.patient(), 2, directory, stateReplicated);
    group.failsAt.put(0, BAD);
    group.failsAt.put(1, BAD);
    group.startAll().awaitInSync(2);
  }

  private void sendBad(long sequence, long number) {
    assertThat(group.offer(group.primary(), sequence, number)).isEqualTo(OfferResult.ACCEPTED);
    Await.until(
        () -> "the failed reply comes: " + group.describe(),
        () -> {
          group.flush();
          return group.rejected.containsKey(sequence);
        });
  }

  private static long sum(long to) {
    return to * (to + 1) / 2;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHandlerThatThrowsCostsOneFailedReplyAndNoMember(boolean stateReplicated) {
    start(stateReplicated);
    group.send(1, BAD - 1);
    sendBad(BAD, BAD);
    group.send(BAD + 1, 10);

    assertThat(group.rejected)
        .containsExactly(
            Map.entry(BAD, "java.lang.IllegalStateException: asked to fail at " + BAD));
    assertThat(group.replies).containsEntry(10L, sum(10) - BAD).doesNotContainKey(BAD);
    assertThat(group.causes).hasSize(1);
    int primary = group.primary();
    assertThat(group.member(primary).stats().rejected()).isEqualTo(1);
    assertThat(group.member(primary).stats().rebuilds()).isEqualTo(stateReplicated ? 0 : 1);
    assertThat(group.member(primary).stats().inSync()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anExceptionThatIsNotDeclaredCostsOneFailedReplyAndNoMember(boolean stateReplicated) {
    start(stateReplicated);
    group.send(1, 2);
    sendBad(3, SumProcessor.UNDECLARED);
    group.send(4, 4);
    assertThat(group.rejected)
        .containsExactly(
            Map.entry(3L, "java.io.IOException: asked to fail at " + SumProcessor.UNDECLARED));
    assertThat(group.replies).containsEntry(4L, 1L + 2 + 4);
    assertThat(group.member(group.primary()).stats().inSync()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNextPrimaryRefusesTheMessageWithoutHandlingIt(boolean stateReplicated) {
    start(stateReplicated);
    group.send(1, BAD - 1);
    sendBad(BAD, BAD);
    group.send(BAD + 1, 10);
    group.kill(group.primary());
    int next = group.awaitPrimary();

    assertThat(group.offer(next, BAD, BAD)).isEqualTo(OfferResult.ANSWERED);
    Await.until("the failed reply comes again", () -> group.replyCounts.get(BAD) == 2);
    group.send(11, 20);
    assertThat(group.replies).containsEntry(20L, sum(20) - BAD);
    assertThat(group.causes).as("the message is handled once").hasSize(1);
    assertThat(group.member(next).stats().rejected()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aGroupThatStartsAgainDoesNotHandleTheMessageAgain(boolean stateReplicated) {
    start(stateReplicated);
    group.send(1, BAD - 1);
    sendBad(BAD, BAD);
    group.send(BAD + 1, 10);
    group.close();
    start(stateReplicated);
    group.send(11, 20);
    assertThat(group.replies).containsEntry(20L, sum(20) - BAD);
    assertThat(group.causes).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHandlerThatRefusesBeforeItChangesAnythingCostsNoRebuild(boolean stateReplicated) {
    start(stateReplicated);
    group.send(1, 2);
    sendBad(3, SumProcessor.REFUSED);
    group.send(4, 4);
    assertThat(group.rejected).containsExactly(Map.entry(3L, "asked to refuse"));
    assertThat(group.replies).containsEntry(4L, 1L + 2 + 4);
    assertThat(group.member(group.primary()).stats().rebuilds()).isZero();
  }

  @Test
  void theOthersHaveTheRejectionBeforeTheStateIsRebuilt() {
    start(false);
    group.send(1, BAD - 1);
    int primary = group.primary();
    AtomicInteger restored = new AtomicInteger();
    group.onRestore =
        () -> {
          restored.incrementAndGet();
          Await.until(
              "the backup has the rejection",
              () -> group.member(1 - primary).stats().logEnd() == BAD);
        };
    sendBad(BAD, BAD);
    group.send(BAD + 1, 10);
    assertThat(restored).hasPositiveValue();
    assertThat(group.replies).containsEntry(10L, sum(10) - BAD);
  }

  @Test
  void theFirstMessageOfAllMayBeTheBadOne() {
    start(false);
    sendBad(1, BAD);
    sendBad(2, BAD);
    group.send(3, 4);
    assertThat(group.replies).containsEntry(4L, 7L);
  }

  @Test
  void messagesOfTheSameBatchKeepTheirEffect() {
    start(false);
    int primary = group.primary();
    for (long sequence = 1; sequence <= 10; sequence++) {
      assertThat(group.offer(primary, sequence)).isEqualTo(OfferResult.ACCEPTED);
    }
    Await.until(
        "all are answered",
        () -> {
          group.flush();
          return group.replyCounts.size() == 10;
        });
    assertThat(group.replies).containsEntry(4L, 10L).containsEntry(10L, sum(10) - BAD);
    assertThat(group.rejected).containsOnlyKeys(BAD);
  }

  /** A group of one member, whose handler does what a test asks. */
  private ProcessorGroup alone(Handler handler, ReplySink replies) {
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("m0"))
            .setPersistence(false)
            .setAckLevel(AckLevel.RECEIVED);
    GroupBuilder builder =
        GroupBuilder.alone(options, null).replies(replies).rejections(this::failing);
    builder.processor((message, state, out) -> handler.handle(message, state, out));
    ProcessorGroup started = builder.start();
    Await.until("it accepts", () -> started.stats().accepting());
    return started;
  }

  private void failing(Inbound message, Throwable cause) {
    throw new IllegalStateException("a listener that throws");
  }

  @FunctionalInterface
  private interface Handler {
    void handle(Inbound message, State state, Outbound out);
  }

  @Test
  void errorsOfAnyKindCostTheirMessageOnly() {
    Map<Long, String> rejected = new ConcurrentHashMap<>();
    ReplySink sink =
        new ReplySink() {
          @Override
          public void onReply(long client, long sequence, ByteBuffer buffer, int at, int length) {}

          @Override
          public void onRejected(
              long client, long sequence, ByteBuffer buffer, int at, int length) {
            byte[] reason = new byte[length];
            buffer.get(at, reason);
            rejected.put(sequence, new String(reason));
          }
        };
    Handler handler =
        (message, state, out) -> {
          switch ((int) message.sequence()) {
            case 1 -> throw new StackOverflowError();
            case 2 -> throw new OutOfMemoryError("on purpose");
            case 3 -> throw new AssertionError("x".repeat(1000));
            case 4 -> out.claim(-1);
            case 5 -> state.put(1, ByteBuffer.allocate(1 << 20));
            case 6 -> throw new SpeechlessException();
            case 7 -> {
              out.claim(4);
              out.commit(4);
              out.commit(4);
            }
            default -> {}
          }
        };
    try (ProcessorGroup one = alone(handler, sink)) {
      ByteBuffer body = ByteBuffer.allocate(0);
      for (long sequence = 1; sequence <= 8; sequence++) {
        assertThat(one.offer(1, sequence, body, 0, 0)).isEqualTo(OfferResult.ACCEPTED);
      }
      one.flush();
      assertThat(rejected).containsOnlyKeys(1L, 2L, 3L, 4L, 5L, 6L, 7L);
      assertThat(rejected.get(3L)).hasSize(256).startsWith("java.lang.AssertionError: xxx");
      assertThat(rejected.get(6L)).isEqualTo(SpeechlessException.class.getName());
      assertThat(one.stats().rejected()).isEqualTo(7);
      assertThat(one.stats().accepting()).isTrue();
    }
  }

  private static final class SpeechlessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      throw new IllegalStateException("nor can it say so");
    }
  }

  @Test
  void sinksListenersAndSourcesThatThrowCostNoMember() {
    AtomicInteger replies = new AtomicInteger();
    ReplySink sink =
        new ReplySink() {
          @Override
          public void onReply(long client, long sequence, ByteBuffer buffer, int at, int length) {
            replies.incrementAndGet();
            throw new IllegalStateException("a sink that throws");
          }

          @Override
          public void onRole(Role role, long epoch) {
            throw new AssertionError("a sink that throws");
          }
        };
    Handler handler =
        (message, state, out) -> {
          if (message.sequence() == 2) {
            throw new IllegalStateException("on purpose");
          }
        };
    try (ProcessorGroup one = alone(handler, sink)) {
      ByteBuffer body = ByteBuffer.allocate(0);
      for (long sequence = 1; sequence <= 3; sequence++) {
        one.offer(1, sequence, body, 0, 0);
        one.flush();
      }
      assertThat(
              one.poll(
                  to -> {
                    throw new IllegalStateException("a source that throws");
                  }))
          .isZero();
      assertThat(replies).hasValue(3);
      assertThat(one.stats().accepting()).isTrue();
    }
  }
}
