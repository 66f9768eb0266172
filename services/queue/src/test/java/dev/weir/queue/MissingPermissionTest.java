package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.DirectoryLock;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.segment.SegmentDirectory;
import dev.weir.queue.tool.QueueTool;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.OrdinaryUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tool as a user who may not do everything with the directory. */
@Tag("slow")
class MissingPermissionTest extends DataDirectoryTestBase {
  private static final int UNUSABLE = 3;

  private record Said(int exitCode, String text) {}

  private OrdinaryUser user;

  @BeforeEach
  void fill() throws IOException {
    user = OrdinaryUser.in(directory);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 10, 100));
    }
  }

  /** So that the directory can be deleted. */
  @AfterEach
  void giveRightsBack() throws IOException {
    allow(data(), "rwx------");
  }

  private static void allow(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private Said tool(String... args) {
    try (ChildJvm child = user.child(QueueTool.class).mergeErrors().start(args)) {
      int exitCode = child.exitCode();
      return new Said(exitCode, String.join("\n", child.lines()));
    }
  }

  private void refused(Said said, String... parts) {
    assertThat(said.exitCode).as(said.text).isEqualTo(UNUSABLE);
    assertThat(said.text)
        .hasLineCount(1)
        .contains(parts)
        .contains("Permission denied", "owner " + System.getProperty("user.name"))
        .contains("user " + user.name())
        .doesNotContain("holds no store", "damaged", "move");
  }

  @Test
  void aDirectoryThatMayNotBeEnteredIsNamedWithModeOwnerAndUser() throws IOException {
    allow(data(), "---------");
    refused(tool("list", "" + data()), "" + data(), "mode ---------");
    refused(tool("compact", "" + data()), "" + data(), "mode ---------");
  }

  @Test
  void aLogFileThatMayNotBeReadIsNoDamage() throws IOException {
    Path log = LogFiles.of(data()).get(0);
    allow(data(), "r-xr-xr-x");
    allow(log, "---------");
    refused(tool("list", "" + data()), "" + log, "mode ---------");
    refused(tool("verify", "" + data()), "" + log, "mode ---------");
    assertThat(log).exists();
  }

  @Test
  void aSegmentThatMayNotBeReadIsNoDamage() throws IOException {
    try (QueueStore store = QueueStore.open(storeOptions().setSegmentThresholdBytes(4096));
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 2, 10_000));
    }
    Path segment = SegmentDirectory.of(data()).get(0);
    for (Path file : LogFiles.withSegments(data())) {
      allow(file, "rw-r--r--");
    }
    allow(data(), "r-xr-xr-x");
    allow(segment, "---------");
    refused(tool("list", "" + data()), "" + segment, "mode ---------");
    refused(tool("verify", "" + data()), "" + segment, "mode ---------");
    // Behind the messages that can be read.
    Said exported = tool("export", "" + data(), "--all");
    assertThat(exported.exitCode).as(exported.text).isEqualTo(UNUSABLE);
    assertThat(exported.text)
        .contains(segment + ": Permission denied (mode ---------")
        .doesNotContain("damaged", "exported");
  }

  @Test
  void whoMayOnlyReadCanListAndExport() throws IOException {
    try (Stream<Path> files = Files.list(data())) {
      for (Path file : files.toList()) {
        allow(file, "r--r--r--");
      }
    }
    for (boolean lockFile : new boolean[] {true, false}) {
      if (!lockFile) {
        allow(data(), "rwxr-xr-x");
        Files.deleteIfExists(data().resolve("weir.lock"));
      }
      allow(data(), "r-xr-xr-x");
      Said list = tool("list", "" + data());
      assertThat(list.exitCode).as(list.text).isZero();
      assertThat(tool("verify", "" + data()).text).endsWith("intact");
      assertThat(tool("export", "" + data(), "--all").text).hasLineCount(11);
    }
    refused(tool("compact", "" + data()), "" + data());
  }

  /** Reads a directory until it is killed. */
  static final class Reader {
    private Reader() {}

    @SuppressWarnings("try") // A lock is held for what it keeps others from.
    public static void main(String[] args) {
      try (DirectoryLock lock = DirectoryLock.acquireToRead(Path.of(args[0]))) {
        System.out.println("reads");
        Await.until("it is killed", () -> false);
      }
    }
  }

  @Test
  void whoMayOnlyReadKeepsNoStoreFromStarting() throws IOException {
    allow(data(), "r-xr-xr-x");
    allow(data().resolve("weir.lock"), "rw-r--r--");
    try (ChildJvm reader = user.child(Reader.class).start("" + data())) {
      assertThat(reader.says("reads")).isTrue();
      allow(data(), "rwxr-xr-x");
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store)) {
        assertThat(queue.waiting()).isEqualTo(10);
      }
    }
  }
}
