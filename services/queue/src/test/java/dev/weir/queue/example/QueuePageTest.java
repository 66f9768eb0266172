package dev.weir.queue.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.DocumentedExample;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueuePageTest {
  private final DocumentedExample example = new DocumentedExample(Mailbox.class, "docs/queue.md");

  @Test
  void thePageShowsTheExampleThatIsCompiled() throws IOException {
    example.assertShown();
  }

  @Test
  void theExampleRunsAndEndsByItself(@TempDir Path directory) {
    assertThat(example.run(directory.resolve("data").toString()))
        .containsExactlyInAnyOrder("on the disk", "hello 1");
  }
}
