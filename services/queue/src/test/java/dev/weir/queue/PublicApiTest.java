package dev.weir.queue;

import dev.weir.testing.PublicApi;
import org.junit.jupiter.api.Test;

class PublicApiTest {
  @Test
  void noPublicNameIsGoneOrHasChanged() {
    PublicApi.of(QueueStore.class).check();
  }
}
