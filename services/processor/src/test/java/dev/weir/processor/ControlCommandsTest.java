package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.GroupStats;
import dev.weir.cluster.Role;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask running members, each a process. */
@Timeout(300)
class ControlCommandsTest {
  private static final List<String> NAMES = List.of("a", "b", "c");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Map<String, ChildJvm> running = new TreeMap<>();
  private final List<Integer> ports = FreePorts.find(2 * NAMES.size());
  @TempDir private Path directory;

  @AfterEach
  void end() {
    running.values().forEach(ChildJvm::close);
  }

  private int ask(String command, String member, String... more) {
    String[] args =
        Stream.concat(
                Stream.of(command, "--name=" + member, "--data=" + directory.resolve(member)),
                Stream.of(more))
            .toArray(String[]::new);
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return ProcessorMain.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private String status(String member) {
    assertThat(ask("status", member)).as(err.toString()).isZero();
    return out.toString();
  }

  private void start(String name, String members) {
    int index = NAMES.indexOf(name);
    running.put(
        name,
        MemberProcess.start(
            "run",
            "--name=" + name,
            "--members=" + members,
            "--port=" + ports.get(index),
            "--join="
                + ports.subList(0, NAMES.size()).stream()
                    .map(port -> "127.0.0.1:" + port)
                    .collect(Collectors.joining(",")),
            "--client-port=" + ports.get(NAMES.size() + index),
            "--data=" + directory.resolve(name),
            "--lease-ms=10000",
            "--takeover-ms=20000"));
    running.get(name).await(name + ": takes clients");
  }

  private void await(String member, String shown) {
    Await.until(
        () -> shown + " of " + member + ": " + out + running.get(member).lines(),
        () -> ask("status", member) == 0 && out.toString().contains(shown));
  }

  @Test
  void aMemberThatDoesNotRunCannotBeAsked() {
    assertThat(ask("status", "a")).isEqualTo(3);
    assertThat(err.toString()).startsWith("processor: no member that can be asked runs on ");
  }

  @Test
  void aQuestionIsAnsweredOnASocketInTheDirectory() throws IOException {
    try (ControlSocket socket = ControlSocket.listen(directory, question -> "got " + question)) {
      assertThat(ControlSocket.ask(directory, "one two")).isEqualTo("got one two\n");
      assertThat(ControlSocket.ask(directory, "three")).isEqualTo("got three\n");
      assertThat(socket).isNotNull();
    }
    assertThat(directory).isEmptyDirectory();
    Files.writeString(directory.resolve("@control"), "left by a process that was killed");
    ControlSocket.listen(directory, question -> question).close();
  }

  @Test
  void aHandOverIsOverWhenAnotherMemberIsPrimaryInALaterEpoch() {
    Iterator<GroupStats> seen =
        List.of(
                stats(Role.PRIMARY, 4, "a"),
                stats(Role.CANDIDATE, 4, "a"),
                stats(Role.CANDIDATE, 5, null),
                stats(Role.BACKUP, 5, "b"))
            .iterator();
    assertThat(GroupControl.awaitNext(seen::next, 4, 600_000))
        .isEqualTo("the role was handed over to b, epoch 5");
    assertThat(seen.hasNext()).isFalse();
  }

  @Test
  void aHandOverThatNobodyTakesIsSaidToBeOpen() {
    assertThatThrownBy(() -> GroupControl.awaitNext(() -> stats(Role.CANDIDATE, 5, null), 4, 1))
        .hasMessage(
            "this member gave the role up, and no member was known to have taken it over after 1 ms:"
                + " as told");
    assertThatThrownBy(() -> GroupControl.awaitNext(() -> stats(Role.PRIMARY, 6, "a"), 4, 600_000))
        .hasMessage("this member gave the role up and has it again, in epoch 6");
    assertThat(ask("step-down", "a", "--timeout-ms=0")).isEqualTo(2);
    assertThat(err.toString()).contains("--timeout-ms is 0, allowed is 1 to 3600000");
  }

  private static GroupStats stats(Role role, long epoch, String primary) {
    return new GroupStats(
        role, epoch, primary, 2, 2, false, "as told", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Tag("slow")
  @Test
  void aMemberIsReplacedAndARoleHandedOverByCommands() {
    start("a", "a,b");
    start("b", "a,b");
    await("a", "group processor: primary");
    await("a", "b, in sync, connected, behind by 0");
    assertThat(ask("remove", "b", "--member=a")).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("processor: refused: this member is not primary\n");
    assertThat(ask("step-down", "a", "--group=other")).isEqualTo(1);
    assertThat(err.toString()).contains("allowed is one of [processor]");

    assertThat(ask("step-down", "a")).as(err.toString()).isZero();
    assertThat(out.toString()).matches("the role was handed over to b, epoch \\d+\n");
    assertThat(status("b")).contains("group processor: primary");
    await("b", "a, in sync, connected");

    assertThat(ask("add", "b", "--member=c")).as(err.toString()).isZero();
    assertThat(out.toString()).isEqualTo("the members are a, b, c\n");
    start("c", "a,b,c");
    await("b", "c, in sync, connected");
    assertThat(ask("remove", "b", "--member=a")).as(err.toString()).isZero();
    assertThat(out.toString()).isEqualTo("the members are b, c\n");
    running.get("a").await("a is not a member any more, the members are b, c");
    assertThat(status("b")).contains("members b, c; accepts, in sync are b, c");
  }
}
