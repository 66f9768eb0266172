package dev.weir.flow;

import dev.weir.testing.PublicApi;
import org.junit.jupiter.api.Test;

class PublicApiTest {
  @Test
  void noPublicNameIsGoneOrHasChanged() {
    PublicApi.of(Weir.class).check();
  }
}
