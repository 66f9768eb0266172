package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flag {@code --witness}; nothing is started. */
class WitnessCommandTest {
  private final StringWriter err = new StringWriter();
  @TempDir private Path directory;

  private String refusal(String command, String... more) {
    String[] args =
        Stream.concat(Stream.of(command, "--data=" + directory), Stream.of(more))
            .toArray(String[]::new);
    err.getBuffer().setLength(0);
    int code =
        ProcessorMain.execute(
            new PrintWriter(new StringWriter()), new PrintWriter(err, true), args);
    assertThat(code).as(err.toString()).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(directory).isEmptyDirectory();
    return err.toString();
  }

  @Test
  void theWitnessTakesNoOptionOfAProcessor() {
    String[] witness = {"--name=c", "--members=a,b,c", "--witness=c"};
    assertThat(refusal("run", witness[0], witness[1], witness[2], "--kind=sr"))
        .contains("--kind is sr, allowed on the witness, c, is none");
    assertThat(refusal("force-primary", witness))
        .contains("--name is c, allowed is a member that holds messages");
  }

  @Test
  void theWitnessIsOneOfThreeMembers() {
    String allowed = ", allowed is one of three members, or none; members is ";
    assertThat(refusal("run", "--name=a", "--members=a,b,c", "--witness=d"))
        .contains("witness is d" + allowed + "[a, b, c]");
    assertThat(refusal("run", "--name=b", "--witness=b"))
        .contains("witness is b" + allowed + "[a, b]");
    assertThat(refusal("run", "--name=c", "--members=c", "--witness=c"))
        .contains("witness is c" + allowed + "[c]");
    assertThat(refusal("run", "--name=c", "--members=a,b,c", "--witness=b,c"))
        .contains("witness is b,c, allowed");
    assertThat(refusal("run", "--name=a", "--members=a,b,c", "--witness=c", "--min-in-sync=3"))
        .contains("minInSync is 3, allowed is 1 to the number of members without the witness, 2");
  }
}
