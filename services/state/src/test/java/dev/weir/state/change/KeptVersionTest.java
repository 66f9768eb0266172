package dev.weir.state.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptVersionTest {
  private static final byte[] KEY = "a".getBytes(StandardCharsets.UTF_8);
  private static final String VALUE =
      "0000000000000005" + "01" + "0000000000000002" + "0000000000000000" + "7b7d";

  private static State state(long version) {
    return new State(version, 0, "{}".getBytes(StandardCharsets.UTF_8), DocumentFormat.JSON);
  }

  private static List<Long> versions(KeptVersions kept) {
    return kept.added().stream().map(each -> each.state().version()).toList();
  }

  @Test
  void theFormatIsTheDocumentedOne() {
    assertThat(HexFormat.of().formatHex(KeptVersion.key(KEY, 2)))
        .isEqualTo("0001" + "61" + "0000000000000002");
    assertThat(HexFormat.of().formatHex(new KeptVersion(5, state(2)).encode())).isEqualTo(VALUE);
    KeptVersion read = KeptVersion.decode(HexFormat.of().parseHex(VALUE));
    assertThat(read.timeMs()).isEqualTo(5);
    assertThat(read.state().version()).isEqualTo(2);
    assertThat(read.state().content()).asString().isEqualTo("{}");
    assertThat(KeptVersion.versionOf(KeptVersion.key(KEY, 2))).isEqualTo(2);
    assertThatThrownBy(() -> KeptVersion.decode(new byte[] {1, 2}))
        .isInstanceOf(DocumentException.class);
  }

  @Test
  void versionsOfOneKeyAreInTheirOrder() {
    assertThat(Arrays.compareUnsigned(KeptVersion.key(KEY, 255), KeptVersion.key(KEY, 256)))
        .isNegative();
  }

  @Test
  void changesOfOneBatchAreJoined() {
    KeptVersions joined = KeptVersions.of(State.ABSENT, state(1), true, 2, 0);
    for (long version = 2; version <= 6; version++) {
      joined = joined.then(KeptVersions.of(state(version - 1), state(version), false, 2, 0));
    }
    assertThat(versions(joined)).containsExactly(4L, 5L, 6L);
    assertThat(joined.from()).isEqualTo(4);
    joined = joined.then(KeptVersions.of(state(6), State.ABSENT, false, 2, 0));
    assertThat(versions(joined)).isEmpty();
    assertThat(joined.from()).isEqualTo(7);
    joined = joined.then(KeptVersions.of(State.ABSENT, state(7), true, 2, 0));
    assertThat(versions(joined)).containsExactly(7L);
    assertThat(joined.from()).isEqualTo(7);
    assertThat(KeptVersions.of(state(1), state(2), false, 0, 0)).isSameAs(KeptVersions.NONE);
  }
}
