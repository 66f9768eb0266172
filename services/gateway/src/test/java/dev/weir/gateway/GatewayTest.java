package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GatewayTest {
  @Test
  void listensOnThisMachineOnlyUnlessTold() {
    assertThat(new GatewayOptions().getHost()).isEqualTo("127.0.0.1");
  }

  @Test
  void namesTheOptionTheValueAndWhatIsAllowed() {
    assertThatThrownBy(() -> new GatewayOptions().setPort(70_000))
        .hasMessage("port is 70000, allowed is 0 to 65535");
  }
}
