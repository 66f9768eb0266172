package dev.weir.flow.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.DocumentedExample;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  private final DocumentedExample example = new DocumentedExample(Orders.class, "README.md");

  @Test
  void theReadmeShowsTheExampleThatIsCompiled() throws IOException {
    example.assertShown();
  }

  @Test
  void theExampleRunsAndEndsByItself(@TempDir Path directory) {
    assertThat(example.run(directory.resolve("data").toString()))
        .containsExactly("accepted one", "two is kept");
  }
}
