package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.StateView;
import dev.weir.cluster.ViewableState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ViewableStateTest {
  private final ViewableState state = new ViewableState();

  private static ByteBuffer bytes(long content) {
    return ByteBuffer.allocate(Long.BYTES).putLong(0, content);
  }

  private static byte[] save(StateView view) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    view.save(new DataOutputStream(out));
    view.close();
    return out.toByteArray();
  }

  @Test
  void aViewIsTheStateAsItWas() throws IOException {
    for (int id = 0; id < 1_000; id++) {
      state.put(id, bytes(id));
    }
    StateView view = state.view();
    for (int id = 0; id < 1_000; id++) {
      state.put(id, bytes(-1));
      state.remove(id / 2);
    }
    ViewableState restored = new ViewableState();
    restored.restore(new DataInputStream(new ByteArrayInputStream(save(view))));
    assertThat(restored.size()).isEqualTo(1_000);
    assertThat(restored.get(999).getLong(0)).isEqualTo(999);
    assertThat(state.size()).isEqualTo(500);
    assertThat(state.get(999).getLong(0)).isEqualTo(-1);
  }

  @Test
  void theNextViewHasAllThatChangedWhileTheLastOneWasOpen() throws IOException {
    StateView view = state.view();
    for (int id = 0; id < 1_000; id++) {
      state.put(id, bytes(id));
    }
    save(view);
    ViewableState restored = new ViewableState();
    restored.restore(new DataInputStream(new ByteArrayInputStream(save(state.view()))));
    assertThat(restored.size()).isEqualTo(1_000);
  }

  @Test
  void thereIsOneViewAtATime() {
    StateView view = state.view();
    assertThatThrownBy(state::view).hasMessageContaining("another view");
    view.close();
    state.view().close();
  }

  @Test
  void aStateIsEmptiedByARestoreOfNothing() throws IOException {
    state.put(1, bytes(1));
    state.restore(null);
    assertThat(state.size()).isZero();
    assertThat(state.get(1)).isNull();
  }
}
