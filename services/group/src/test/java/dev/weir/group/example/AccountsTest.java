package dev.weir.group.example;

import dev.weir.testing.DocumentedExample;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountsTest {
  @ParameterizedTest
  @ValueSource(classes = {Accounts.class, AccountsMember.class})
  void theTutorialShowsTheExampleThatIsCompiled(Class<?> shown) throws IOException {
    new DocumentedExample(shown, "docs/tutorial.md").assertShown();
  }
}
