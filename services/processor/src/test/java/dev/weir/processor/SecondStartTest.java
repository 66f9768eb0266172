package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that is started twice, each time as a process. */
@Tag("slow")
class SecondStartTest {
  @TempDir private Path directory;
  private final List<Integer> ports = FreePorts.find(2);
  private final int hazelcast = ports.get(0);
  private final int clients = ports.get(1);

  @Test
  void theSecondSaysWhoHoldsTheDirectoryAndTheFirstGoesOn() throws Exception {
    try (ChildJvm first = start()) {
      first.await("a: takes clients");
      try (ChildJvm second = start()) {
        assertThat(second.exitCode()).as("said %s", second.lines()).isEqualTo(3);
        String line =
            "processor: directory " + data() + " is in use by process " + first.pid() + " on host ";
        assertThat(second.lines()).singleElement().asString().startsWith(line).contains(" since ");
      }
      drive();
      first.terminate();
      assertThat(first.exitCode()).as("said %s", first.lines()).isZero();
    }
  }

  @Test
  void theDirectoryOfAKilledMemberIsFree() throws Exception {
    try (ChildJvm first = start()) {
      // Killed before, it would leave no epoch behind.
      first.await("a processor: primary, epoch 1");
    }
    try (ChildJvm next = start()) {
      next.await("a processor: primary, epoch 2");
    }
  }

  @Test
  void aDirectoryThatCannotBeUsedIsOneLine() throws Exception {
    Files.writeString(data(), "no directory");
    try (ChildJvm member = start()) {
      assertThat(member.exitCode()).as("said %s", member.lines()).isEqualTo(3);
      assertThat(member.lines())
          .singleElement()
          .asString()
          .startsWith("processor: directory " + data() + " cannot be used: ");
    }
  }

  @Test
  void withoutPersistenceThereIsNoDirectory() throws Exception {
    try (ChildJvm member = start("--no-persistence")) {
      member.await("a processor: primary");
      assertThat(data()).doesNotExist();
    }
  }

  @Test
  void aKilledMemberLeavesNothingOutsideItsDirectory() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    List<String> flags = List.of("-Djava.io.tmpdir=" + temporary);
    try (ChildJvm member = MemberProcess.startWith(flags, arguments("--http-port=0"))) {
      member.await("a processor: primary");
      member.await("answers HTTP at");
      drive();
    }
    assertThat(temporary).isEmptyDirectory();
  }

  private void drive() throws Exception {
    try (ChildJvm driver =
        MemberProcess.start(
            "drive", "--members=a", "--at=127.0.0.1:" + clients, "--rate=100", "--count=50")) {
      assertThat(driver.exitCode()).as("said %s", driver.lines()).isZero();
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  private ChildJvm start(String... more) throws IOException {
    return MemberProcess.start(arguments(more));
  }

  private String[] arguments(String... more) {
    List<String> args =
        List.of(
            "run",
            "--name=a",
            "--members=a",
            "--port=" + hazelcast,
            "--join=127.0.0.1:" + hazelcast,
            "--client-port=" + clients,
            "--data=" + data());
    return Stream.concat(args.stream(), Stream.of(more)).toArray(String[]::new);
  }
}
