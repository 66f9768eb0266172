package dev.weir.bench.cluster.injection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.load.RoundResult;
import dev.weir.processor.Encoding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoopbackTest {

  @ParameterizedTest
  @EnumSource
  void answersEveryCarOfBothKindsFullAndEmpty(Encoding encoding) {
    for (Kind kind : Kind.values()) {
      for (boolean empty : new boolean[] {false, true}) {
        Messages messages = new CarMessages(encoding, empty, kind.odometer());
        InjectionPlan plan = InjectionPlan.saturated(1, 5_000, 256);
        RoundResult result =
            new Injection(plan, messages, new MessageLatencies(0))
                .run(new Loopback(kind, encoding));

        assertThat(result.verdict().isOk()).as("%s %s", kind, result.verdict()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aMessageThatWasSkippedShowsInTheReplies(Kind kind) {
    Encoding encoding = Encoding.SBE_DIRECT;
    Messages messages = new CarMessages(encoding, false, kind.odometer());
    InjectionPlan plan = InjectionPlan.saturated(1_001, 10, 16);

    RoundResult result =
        new Injection(plan, messages, new MessageLatencies(0)).run(new Loopback(kind, encoding));

    assertThat(result.verdict().toString()).contains("corrupt 10");
  }
}
