package dev.weir.state.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.DocumentFailure;
import dev.weir.testing.DocumentedExample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatePageTest {
  private final DocumentedExample example = new DocumentedExample(Carpark.class, "docs/state.md");

  @Test
  void thePageShowsTheExampleThatIsCompiled() throws IOException {
    example.assertShown();
  }

  @Test
  void thePageExplainsEachFailureCode() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "state.md"));
    assertThat(DocumentFailure.values())
        .allSatisfy(
            failure ->
                assertThat(page).contains("\n| " + failure.code() + " | `" + failure + "` |"));
  }

  @Test
  @Tag("slow")
  void theExampleRunsAndEndsByItself(@TempDir Path directory) {
    assertThat(example.run(directory.resolve("documents").toString()))
        .containsExactly("{\"place\":17,\"km\":30}, version 2", "a car needs a place");
  }
}
