package dev.weir.cluster;

import dev.weir.testing.PublicApi;
import org.junit.jupiter.api.Test;

class PublicApiTest {
  @Test
  void noPublicNameIsGoneOrHasChanged() {
    PublicApi.of(GroupBuilder.class).check();
  }
}
