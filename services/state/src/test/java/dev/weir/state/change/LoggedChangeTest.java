package dev.weir.state.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class LoggedChangeTest {
  private static final byte[] KEY = "a".getBytes(StandardCharsets.UTF_8);
  private static final String FORMAT = "01";
  private static final String TIME_AND_KEY = "0000000000000005" + "0001" + "61";
  private static final String RECORD = "01" + "0000000000000002" + "0000000000000000" + "7b7d";

  private static State state(long version) {
    return new State(version, 0, "{}".getBytes(StandardCharsets.UTF_8), DocumentFormat.JSON);
  }

  private static void assertFormat(LoggedChange change, String hex) {
    assertThat(HexFormat.of().formatHex(change.encode())).isEqualTo(hex);
    byte[] value = HexFormat.of().parseHex(hex);
    LoggedChange read = LoggedChange.decode(change.position(), value);
    assertThat(read.position()).isEqualTo(change.position());
    assertThat(read.timeMs()).isEqualTo(5);
    assertThat(read.created()).isEqualTo(change.created());
    assertThat(read.key()).isEqualTo(KEY);
    assertThat(read.version()).isEqualTo(change.version());
    assertThat(read.after().content()).isEqualTo(change.after().content());
  }

  @Test
  void theFormatIsTheDocumentedOne() {
    LoggedChange created = LoggedChange.decided(KEY, State.ABSENT, state(2), 5).at(3);
    assertFormat(created, FORMAT + "01" + TIME_AND_KEY + RECORD);
    LoggedChange changed = LoggedChange.decided(KEY, state(1), state(2), 5).at(3);
    assertFormat(changed, FORMAT + "02" + TIME_AND_KEY + RECORD);
    LoggedChange deleted = LoggedChange.decided(KEY, state(2), State.ABSENT, 5).at(3);
    assertFormat(deleted, FORMAT + "03" + TIME_AND_KEY + "0000000000000002");
    byte[] key = LoggedChange.key(3, 7);
    assertThat(HexFormat.of().formatHex(key)).isEqualTo("0000000000000003" + "0000000000000007");
    assertThat(LoggedChange.positionOf(key)).isEqualTo(3);
    assertThat(LoggedChange.beforeOf(key)).isEqualTo(7);
    assertThat(LoggedChange.start(3)).isEqualTo(Arrays.copyOf(key, 8));
  }

  @Test
  void whatCannotBeReadIsNamed() {
    byte[] later = HexFormat.of().parseHex("02" + "01" + TIME_AND_KEY);
    assertThatThrownBy(() -> LoggedChange.decode(3, later))
        .isInstanceOf(DocumentException.class)
        .hasMessageContaining("position 3");
    assertThatThrownBy(() -> LoggedChange.decode(3, new byte[] {1}))
        .isInstanceOf(DocumentException.class);
  }
}
