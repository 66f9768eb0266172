package dev.weir.bench.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitCommitTest {
  private static final String HASH = "0123456789abcdef0123456789abcdef01234567";

  @TempDir private Path root;

  private void write(String file, String content) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content + "\n");
  }

  @Test
  void followsABranchFromAnyDirectoryBelow() throws IOException {
    write(".git/HEAD", "ref: refs/heads/main");
    write(".git/refs/heads/main", HASH);
    Path below = Files.createDirectories(root.resolve("module/target"));
    assertThat(GitCommit.of(below)).isEqualTo(HASH);
  }

  @Test
  void readsADetachedHead() throws IOException {
    write(".git/HEAD", HASH);
    assertThat(GitCommit.of(root)).isEqualTo(HASH);
  }

  @Test
  void findsAPackedBranch() throws IOException {
    write(".git/HEAD", "ref: refs/heads/main");
    write(".git/packed-refs", "# pack-refs\nffff refs/heads/other\n" + HASH + " refs/heads/main");
    assertThat(GitCommit.of(root)).isEqualTo(HASH);
  }

  @Test
  void followsALinkedWorkTree() throws IOException {
    write("main/.git/worktrees/w/HEAD", "ref: refs/heads/topic");
    write("main/.git/worktrees/w/commondir", "../..");
    write("main/.git/refs/heads/topic", HASH);
    write("linked/.git", "gitdir: ../main/.git/worktrees/w");
    assertThat(GitCommit.of(root.resolve("linked"))).isEqualTo(HASH);
  }

  @Test
  void isUnknownWithoutACheckoutOrCommit() throws IOException {
    assertThat(GitCommit.of(root.resolve("absent"))).isEqualTo("unknown");
    write(".git/HEAD", "ref: refs/heads/main");
    assertThat(GitCommit.of(root)).isEqualTo("unknown");
    write(".git/HEAD", "");
    assertThat(GitCommit.of(root)).isEqualTo("unknown");
  }
}
