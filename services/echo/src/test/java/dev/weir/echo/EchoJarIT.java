package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as users start it: java -jar, without flags of the JVM. */
class EchoJarIT {
  private static final String STOPPED = "echo: stopped";

  @TempDir private Path directory;

  @Test
  void saysNothingButItsOwnLines() throws Exception {
    try (ChildJvm echo = start()) {
      stop(echo);
    }
  }

  @Test
  void opensWhatAMemberOfAClusterNeeds() throws Exception {
    List<Integer> ports = FreePorts.find(2);
    String member = "" + ports.get(0);
    try (ChildJvm echo =
        start(
            "-cluster",
            "-cluster-port=" + ports.get(1),
            "--cluster-member-port=" + member,
            "--cluster-join=127.0.0.1:" + member)) {
      stop(echo);
    }
  }

  @Test
  void runsAloneWithoutTheJarForClustersAndSaysWhatAClusterTakes() throws Exception {
    Path alone = Files.copy(EchoProcess.jar(), directory.resolve("echo.jar"));
    String data = "--data=" + directory.resolve("data");
    try (ChildJvm echo = ChildJvm.ofJar(alone).mergeErrors().start("--http-port=0", data)) {
      stop(echo);
    }
    try (ChildJvm echo = ChildJvm.ofJar(alone).mergeErrors().start("-cluster", data)) {
      assertThat(echo.exitCode()).isEqualTo(2);
      assertThat(echo.lines()).last().asString().contains("echo-cluster.jar").doesNotContain("Exc");
    }
  }

  @Test
  void startsFromAnArchiveOfItsClassesThatItHasWritten() throws Exception {
    Path archive = directory.resolve("echo.jsa");
    try (ChildJvm writer =
        EchoProcess.startJar(
            "--archive", archive.toString(), "--data=" + directory.resolve("no"))) {
      assertThat(writer.exitCode()).as("%s", writer.lines()).isZero();
      assertThat(writer.lines())
          .last()
          .isEqualTo(
              "echo: the archive is written; start with java -XX:SharedArchiveFile="
                  + archive
                  + " -jar "
                  + EchoProcess.jar());
    }
    assertThat(directory.resolve("no")).as("the directory of the program").doesNotExist();
    try (ChildJvm echo =
        ChildJvm.ofJar(EchoProcess.jar())
            .flags("-XX:SharedArchiveFile=" + archive, "-Xlog:class+load")
            .start("--http-port=0", "--data=" + directory.resolve("data"))) {
      EchoProcess.port(echo);
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
      assertThat(echo.lines())
          .filteredOn(line -> line.contains(" dev.weir.echo.Echo source: "))
          .singleElement()
          .asString()
          .contains("shared objects file (top)");
    }
  }

  @Test
  void writesNoArchiveOfAProgramThatCannotStart() throws Exception {
    Path archive = directory.resolve("echo.jsa");
    try (ChildJvm writer =
        EchoProcess.startJar(
            "--archive=" + archive,
            "--set=http.tls.certificateFile=" + directory.resolve("none"))) {
      assertThat(writer.exitCode()).isNotZero();
      assertThat(writer.lines()).noneMatch(line -> line.contains("is written"));
    }
    assertThat(archive).doesNotExist();
  }

  private ChildJvm start(String... more) {
    List<String> args = new ArrayList<>(List.of(more));
    args.addAll(List.of("--http-port=0", "--data=" + directory.resolve("data")));
    return EchoProcess.startJar(args.toArray(String[]::new));
  }

  private static void stop(ChildJvm echo) throws InterruptedException {
    EchoProcess.port(echo);
    echo.terminate();
    assertThat(echo.exitCode()).isZero();
    assertThat(EchoProcess.lines(echo))
        .allSatisfy(line -> assertThat(line).startsWith("echo: "))
        .last()
        .isEqualTo(STOPPED);
  }
}
