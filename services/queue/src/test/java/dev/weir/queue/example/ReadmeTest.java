package dev.weir.queue.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ReadmeExample;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  private final ReadmeExample example = new ReadmeExample(Mailbox.class);

  @Test
  void theReadmeShowsTheExampleThatIsCompiled() throws IOException {
    example.assertShown();
  }

  @Test
  void theExampleRunsAndEndsByItself(@TempDir Path directory) {
    assertThat(example.run(directory.resolve("data").toString()))
        .containsExactlyInAnyOrder("on the disk", "hello 1");
  }
}
