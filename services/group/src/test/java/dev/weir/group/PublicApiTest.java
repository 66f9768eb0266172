package dev.weir.group;

import dev.weir.testing.PublicApi;
import org.junit.jupiter.api.Test;

class PublicApiTest {
  @Test
  void noPublicNameIsGoneOrHasChanged() {
    PublicApi.of(Groups.class).check();
  }
}
