package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir private Path directory;

  @Test
  void aBodyCannotForgeALine() throws Exception {
    Path file = directory.resolve("journal");
    try (Journal journal = Journal.open(file)) {
      journal.write("a", 1, "x\nb 1 forged\r\n");
      journal.write(null, 1, "y");
    }
    assertThat(Files.readAllLines(file)).containsExactly("a 1 x\\nb 1 forged\\r\\n", "- 1 y");
  }
}
