package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.MemoryTransactionLog;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.testing.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The members of a group, as an operator changes them. */
@Timeout(60)
class GroupMembersTest {
  @TempDir Path directory;

  private static GroupOptions alone() {
    return new GroupOptions().setMembers(List.of("a"));
  }

  private static ProcessorGroup start(GroupBuilder builder) {
    ProcessorGroup group =
        builder
            .processor(new SumProcessor())
            .replies((client, sequence, buffer, offset, length) -> {})
            .start();
    Await.until(() -> "it accepts: " + group.stats(), () -> group.stats().accepting());
    return group;
  }

  private static List<String> made(CompletionStage<List<String>> change) throws Exception {
    return change.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  @Test
  void aMemberAloneTakesOthersAndKnowsThemAfterARestartWithItsOldOptions() throws Exception {
    try (ProcessorGroup group = start(GroupBuilder.alone(alone(), directory))) {
      assertThat(group.members()).containsExactly("a");
      assertThat(made(group.add("b"))).containsExactly("a", "b");
      assertThat(made(group.addWitness("w"))).containsExactly("a", "b", "w");
    }
    try (ProcessorGroup group = start(GroupBuilder.alone(alone(), directory))) {
      assertThat(group.members()).containsExactly("a", "b", "w");
      assertThat(group.witness()).isEqualTo("w");
      assertThat(made(group.remove("w"))).containsExactly("a", "b");
      assertThat(group.witness()).isNull();
    }
  }

  @Test
  void aWitnessTakesThePlaceThatIsVacant() throws Exception {
    try (ProcessorGroup group = start(GroupBuilder.alone(alone(), directory))) {
      assertThat(made(group.add("b"))).containsExactly("a", "b");
      assertThat(made(group.add("c"))).containsExactly("a", "b", "c");
      assertThat(made(group.remove("b"))).containsExactly("a", "", "c");
      assertThat(made(group.addWitness("w"))).containsExactly("a", "w", "c");
      assertThat(group.witness()).isEqualTo("w");
    }
  }

  @Test
  void aChangeIsRefusedWithAReason() {
    ProcessorGroup group = start(GroupBuilder.alone(alone(), directory));
    assertThatThrownBy(() -> group.add("no name"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("member is no name");
    assertThatThrownBy(() -> group.addWitness("w"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "member is w, allowed for a witness is a group of two that hold messages, the members"
                + " are a");
    assertThatThrownBy(() -> group.remove("a"))
        .hasMessageContaining("member is a, which is the primary");
    assertThatThrownBy(group::handOver).hasMessage("no other member is in sync");
    group.close();
    assertThatThrownBy(() -> group.add("b")).hasMessage("this member is not primary");
  }

  @Test
  void aChangeThatCannotBeStoredEndsTheReplica() {
    AtomicBoolean full = new AtomicBoolean();
    TransactionLog log = failingIf(full);
    GroupBuilder builder =
        new GroupBuilder(
            alone(),
            (options, agreement, threads) ->
                new GroupBuilder.Place(0, directory, () -> log, new NoTransport(), null),
            group -> {});
    QuietLog.set();
    try (ProcessorGroup group = start(builder)) {
      full.set(true);
      assertThatThrownBy(() -> group.add("b"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("it has failed")
          .hasMessageContaining("the disk is full");
      assertThat(group.stats().accepting()).isFalse();
      assertThat(group.stats().reason()).contains("the disk is full");
    }
  }

  private static TransactionLog failingIf(AtomicBoolean full) {
    TransactionLog log = new MemoryTransactionLog();
    return (TransactionLog)
        Proxy.newProxyInstance(
            TransactionLog.class.getClassLoader(),
            new Class<?>[] {TransactionLog.class},
            (proxy, method, args) -> {
              if (full.get() && method.getName().equals("save")) {
                throw new LogException("the disk is full", null);
              }
              try {
                return method.invoke(log, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
