package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of two members, m0 and m1, and a witness, m2. */
class WitnessTest {
  private static final int WITNESS = 2;
  @TempDir private Path directory;
  private TestGroup group;

  @AfterEach
  void close() {
    if (group != null) {
      group.close();
    }
  }

  private void start() {
    start(TestGroup.patient());
    group.awaitInSync(2);
  }

  private void start(GroupOptions options) {
    group = new TestGroup(options.setWitness("m2"), 3, directory, false).startAll();
  }

  private static GroupOptions abc() {
    return new GroupOptions().setMembers(List.of("a", "b", "c"));
  }

  private void awaitWitness() {
    Await.until(
        () -> "the witness follows, and its vote counts: " + group.describe(),
        () -> {
          GroupStats stats = group.member(WITNESS).stats();
          return stats.role() == Role.WITNESS && stats.voters() == 3;
        });
  }

  @Test
  void aWitnessVotesAndHoldsNoMessages() {
    start();
    awaitWitness();
    group.send(1, 200);
    assertThat(group.offer(WITNESS, 201)).isEqualTo(OfferResult.NOT_PRIMARY);
    GroupStats stats = group.member(WITNESS).stats();
    assertThat(stats.logEnd()).isZero();
    assertThat(stats.inSync()).isEqualTo(2);
    List<Map<Long, ByteBuffer>> logs = group.closeAndReadLogs();
    assertThat(logs.get(0)).isNotEmpty().isEqualTo(logs.get(1));
    assertThat(logs.get(WITNESS)).isEmpty();
  }

  @Test
  void withoutTheWitnessAloneNothingChanges() {
    start();
    awaitWitness();
    group.send(1, 100);
    long changes = group.member(group.primary()).stats().roleChanges();
    group.kill(WITNESS);
    group.send(101, 200);
    assertThat(group.member(group.primary()).stats().roleChanges()).isEqualTo(changes);
    group.start(WITNESS);
    awaitWitness();
    group.send(201, 300);
    assertThat(group.replyCounts.values()).containsOnly(1);
  }

  @Test
  void theMemberThatIsLeftTakesOverWhenThePrimaryStops() {
    start();
    awaitWitness();
    group.send(1, 100);
    int old = group.primary();
    group.closeGracefully(old);
    assertThat(group.awaitPrimary()).isEqualTo(1 - old);
    group.send(101, 200);
  }

  @Test
  void aPairTakesAWitness() {
    group = new TestGroup(TestGroup.patient(), 2, directory, false).startAll();
    group.awaitInSync(2);
    group.send(1, 100);
    group.close();
    start(new GroupOptions());
    awaitWitness();
    Await.until(
        () -> "the history is kept: " + group.describe(),
        () -> group.offer(100) == OfferResult.ANSWERED);
  }

  @Test
  void aWitnessIsRefusedWhereAMemberHeldMessages() {
    group = new TestGroup(TestGroup.patient(), 3, directory, false).startAll();
    group.awaitInSync(3);
    group.close();
    group.options.setWitness("m2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> group.start(WITNESS))
        .withMessageContainingAll(
            "directory is " + group.directory(WITNESS), "allowed", "for a witness");
  }

  @Test
  void aWitnessHasNoProcessorAndTheOthersHaveOne() {
    GroupBuilder.Start c = (o, agreement, threads) -> place(2);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                new GroupBuilder(abc().setWitness("c"), c, started -> {})
                    .processor(new SumProcessor())
                    .start())
        .withMessageContainingAll("witness is c", "no processor");
    assertThatIllegalStateException()
        .isThrownBy(() -> new GroupBuilder(abc(), c, started -> {}).start())
        .withMessageContaining("needs a processor");
  }

  private GroupBuilder.Place place(int self) {
    return new GroupBuilder.Place(self, directory, new NoTransport());
  }

  @Test
  void oneOfThreeMembersMayBeTheWitness() {
    abc().setWitness("c").setMinInSync(2).validate();
    abc().setWitness("a").setMinInSync(2).validate();
    String allowed = "allowed is one of three members, or none; members is ";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> abc().setWitness("d").validate())
        .withMessageContainingAll("witness is d", allowed + "[a, b, c]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> abc().setMembers(List.of("a", "b")).setWitness("b").validate())
        .withMessageContainingAll("witness is b", allowed + "[a, b]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> abc().setMembers(List.of("c")).setWitness("c").validate())
        .withMessageContainingAll("witness is c", allowed + "[c]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> abc().setWitness("b,c"))
        .withMessageContaining("witness is b,c, allowed");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> abc().setWitness("c").setMinInSync(3).validate())
        .withMessageContainingAll("minInSync is 3", "members without the witness, 2");
  }

  @Test
  void membersThatNameAnotherWitnessAreNotConnected() {
    GroupAgreement none = GroupAgreement.of(abc(), "event-sourced");
    GroupAgreement one = GroupAgreement.of(abc().setWitness("c"), "event-sourced");
    GroupAgreement witness = GroupAgreement.of(abc().setWitness("c"), GroupAgreement.NONE);
    GroupAgreement other = GroupAgreement.of(abc().setWitness("c"), "state-replicated");
    assertThat(none.difference(one)).isEqualTo("there witness is c, here (none)");
    assertThat(one.difference(none)).isEqualTo("there witness is (none), here c");
    assertThat(GroupAgreement.parse(witness.text()).difference(one)).isNull();
    assertThat(other.difference(witness)).isNull();
    assertThat(one.difference(other)).contains("there processor is state-replicated");
  }

  @Test
  void theWitnessStaysTheLastOfEachGroup() {
    assertThat(Placement.spread(List.of("g1", "g2", "g3"), List.of("a", "b", "c"), "c").values())
        .containsExactly(List.of("a", "b", "c"), List.of("b", "a", "c"), List.of("a", "b", "c"));
  }
}
