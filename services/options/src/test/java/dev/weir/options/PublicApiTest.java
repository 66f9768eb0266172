package dev.weir.options;

import dev.weir.testing.PublicApi;
import org.junit.jupiter.api.Test;

class PublicApiTest {
  @Test
  void noPublicNameIsGoneOrHasChanged() {
    PublicApi.of(ByteBudget.class).check();
  }
}
