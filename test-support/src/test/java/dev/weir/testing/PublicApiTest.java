package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PublicApiTest {
  @Test
  void whatIsGoneOrHasChangedIsNamedAndWhatIsNewIsNot() {
    String kept = "public int A.kept()";
    String changed = "public int A.changed()";
    String gone = "public void A.gone()";

    assertThat(
            PublicApi.missing(
                List.of(kept, changed, gone),
                Set.of(kept, "public long A.changed()", "public void A.added()")))
        .containsExactly(changed, gone);
  }
}
