package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 900, unit = TimeUnit.SECONDS)
class ForcePrimaryCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path directory;

  private int run(String... more) {
    String[] args = new String[more.length + 1];
    args[0] = "force-primary";
    System.arraycopy(more, 0, args, 1, more.length);
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return ProcessorMain.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @Tag("slow")
  @Test
  void aMemberGoesOnWithoutOneThatIsLostForGood() throws Exception {
    TwoMembers members = new TwoMembers(directory);
    int lost = startBothAndKill(members);
    int left = 1 - lost;
    String name = "--name=" + TwoMembers.NAMES.get(left);
    String data = "--data=" + members.directory(left);

    assertThat(run(name, data)).isEqualTo(2);
    assertThat(out.toString()).contains("group processor of member", "position 0 to 1,");
    assertThat(err.toString())
        .isEqualTo(
            "processor: --accept-loss=processor is missing: what "
                + TwoMembers.NAMES.get(lost)
                + " acknowledged from position 1 on would be lost\n");

    try (ChildJvm waiting = members.start(left)) {
      waiting.await(TwoMembers.NAMES.get(left) + ": answers HTTP");
      assertThat(run(name, data, "--accept-loss=processor")).isEqualTo(3);
      assertThat(err.toString()).contains("is in use by process " + waiting.pid());
    }
    assertThat(run(name, data, "--accept-loss=processor")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("  forced    alone in sync, in epoch ");
    assertThat(run(name, data, "--accept-loss=processor")).isEqualTo(1);
    assertThat(err.toString()).contains("is not forced: it needs no force");

    try (ChildJvm forced = members.start(left)) {
      forced.await(TwoMembers.NAMES.get(left) + ": answers HTTP");
      forced.await(TwoMembers.NAMES.get(left) + " processor: primary");
      assertThat(members.post(left, "7-2", 2)).isEqualTo("{\"serialNumber\":2,\"odometer\":2}");
    }
  }

  /** Returns which of them was primary; both hold one car. */
  private static int startBothAndKill(TwoMembers members) throws Exception {
    try (ChildJvm a = members.startPatient(0, "--min-in-sync=2");
        ChildJvm b = members.startPatient(1, "--min-in-sync=2")) {
      a.await("a: answers HTTP");
      b.await("b: answers HTTP");
      assertThat(members.post(0, "7-1", 1)).isEqualTo("{\"serialNumber\":1,\"odometer\":1}");
      return TwoMembers.primary(a, b);
    }
  }

  @Test
  void aDirectoryWithoutALogIsNamed() {
    Path none = directory.resolve("none");
    assertThat(run("--name=a", "--data=" + none)).isEqualTo(3);
    assertThat(err.toString())
        .isEqualTo("processor: there is no log in " + none.resolve("processor") + "\n");
    assertThat(Files.exists(none)).isFalse();
  }

  @Test
  void wrongOptionsAreNamed() {
    assertThat(run("--name=c")).isEqualTo(2);
    assertThat(err.toString()).contains("--name is c, allowed is one of --members, [a, b]");
    assertThat(run("--name=a", "--accept-loss=other")).isEqualTo(2);
    assertThat(err.toString()).contains("--accept-loss is [other], allowed are those of --group");
    assertThat(run()).isEqualTo(2);
  }

  @Test
  void theHelpTellsTheExitCodes() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("--accept-loss", "a log cannot be used", "Exit codes:");
  }
}
