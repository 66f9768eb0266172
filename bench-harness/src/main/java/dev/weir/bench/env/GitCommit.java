package dev.weir.bench.env;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the checked-out commit from git's files, so that no git needs to be installed. */
public final class GitCommit {
  /** Stands for a commit that cannot be found. */
  public static final String UNKNOWN = "unknown";

  private static final String GIT_DIR = "gitdir: ";
  private static final String REF = "ref: ";
  private static final String HASH = "[0-9a-f]{40,64}";

  private GitCommit() {}

  /** The commit checked out where the path lies, or {@value #UNKNOWN}. Local changes don't show. */
  public static String of(Path insideCheckout) {
    try {
      Optional<Path> gitDir = gitDir(insideCheckout.toAbsolutePath().normalize());
      String commit = gitDir.isPresent() ? head(gitDir.get()) : UNKNOWN;
      return commit.matches(HASH) ? commit : UNKNOWN;
    } catch (IOException | RuntimeException e) {
      return UNKNOWN;
    }
  }

  private static Optional<Path> gitDir(Path start) throws IOException {
    for (Path dir = start; dir != null; dir = dir.getParent()) {
      Path git = dir.resolve(".git");
      if (Files.isDirectory(git)) {
        return Optional.of(git);
      }
      if (Files.isRegularFile(git)) {
        String line = Files.readString(git).strip();
        return Optional.of(dir.resolve(line.substring(GIT_DIR.length())));
      }
    }
    return Optional.empty();
  }

  private static String head(Path gitDir) throws IOException {
    String head = Files.readString(gitDir.resolve("HEAD")).strip();
    if (!head.startsWith(REF)) {
      return head;
    }
    String ref = head.substring(REF.length());
    Path shared = sharedDir(gitDir);
    Path file = shared.resolve(ref);
    return Files.exists(file) ? Files.readString(file).strip() : packed(shared, ref);
  }

  /** A linked work tree keeps its branches in the main one. */
  private static Path sharedDir(Path gitDir) throws IOException {
    Path commonDir = gitDir.resolve("commondir");
    return Files.exists(commonDir) ? gitDir.resolve(Files.readString(commonDir).strip()) : gitDir;
  }

  private static String packed(Path gitDir, String ref) throws IOException {
    Path packedRefs = gitDir.resolve("packed-refs");
    if (!Files.exists(packedRefs)) {
      return UNKNOWN;
    }
    try (Stream<String> lines = Files.lines(packedRefs)) {
      return lines
          .filter(line -> line.endsWith(" " + ref))
          .map(line -> line.substring(0, line.indexOf(' ')))
          .findFirst()
          .orElse(UNKNOWN);
    }
  }
}
