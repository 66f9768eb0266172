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
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask running members, each a process. */
@Timeout(900)
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
  @Timeout(60)
  void aMemberCanBeAskedAgainAfterAnAcceptHasFailed() throws IOException {
    Path file = directory.resolve("@control");
    ServerSocketChannel real = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    real.bind(UnixDomainSocketAddress.of(file));
    try (ControlSocket socket =
        ControlSocket.listen(file, new FailingAccepts(real, 2), question -> "got " + question)) {
      assertThat(ControlSocket.ask(directory, "one")).isEqualTo("got one\n");
      assertThat(socket).isNotNull();
    }
    assertThat(real.isOpen()).isFalse();
  }

  /** Fails as the system does while the process has no more file descriptors. */
  private static final class FailingAccepts extends ServerSocketChannel {
    private final ServerSocketChannel real;
    private int failures;

    FailingAccepts(ServerSocketChannel real, int failures) {
      super(real.provider());
      this.real = real;
      this.failures = failures;
    }

    @Override
    public SocketChannel accept() throws IOException {
      if (failures-- > 0) {
        throw new IOException("Too many open files");
      }
      return real.accept();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
      real.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
      real.configureBlocking(block);
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
      return real.bind(local, backlog);
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
      return real.setOption(name, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
      return real.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return real.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
      return real.socket();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
      return real.getLocalAddress();
    }
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
        role, epoch, primary, 2, 2, false, "as told", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1,
        0, 0);
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
    await("b", "members b, c; accepts, in sync are b, c");
  }
}
