package dev.weir.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

class OptionTypesTest {

  private static final class Shared {
    @Option(
        names = {"-k", "--keep"},
        description = "Keeps; default ${DEFAULT-VALUE}.")
    Flag keep = Flag.ON;

    @Option(names = "--preset", description = "As the preset says.")
    Flag preset;
  }

  @Command(name = "some", modelTransformer = OptionTypes.class)
  private abstract static class Base {}

  @Command(sortOptions = false, description = "Some program.")
  private static final class Some extends Base {
    @Option(names = "--first", description = "A number.")
    int first = 7;

    @Option(names = "--quiet", description = "Says nothing; default ${DEFAULT-VALUE}.")
    Flag quiet = Flag.OFF;

    @Mixin Shared shared = new Shared();

    @Option(names = "--cpus", description = "Where to run.")
    CpuMask cpus = CpuMask.ANY;
  }

  private static Some parse(String... args) {
    Some some = new Some();
    new CommandLine(some).parseArgs(args);
    return some;
  }

  @Test
  void anOptionThatIsNotGivenHasTheInitialValueOfItsField() {
    Some some = parse();

    assertThat(some.quiet.on()).isFalse();
    assertThat(some.shared.keep.on()).isTrue();
    assertThat(some.shared.preset).isNull();
    assertThat(some.cpus.isAny()).isTrue();
  }

  @Test
  void aFlagWithoutAValueIsTrue() {
    Some some = parse("--quiet", "--preset", "--first", "3");

    assertThat(some.quiet.on()).isTrue();
    assertThat(some.shared.preset.on()).isTrue();
    assertThat(some.first).isEqualTo(3);
  }

  @Test
  void aFlagOfAMixinTakesItsValue() {
    assertThat(parse("-k", "false").shared.keep.on()).isFalse();
    assertThat(parse("--keep=true").shared.keep.on()).isTrue();
  }

  @Test
  void aMaskNamesCpus() {
    assertThat(parse("--cpus", "[0]").cpus).hasToString("[0]");
  }

  @ParameterizedTest
  @CsvSource({"--quiet,maybe", "-k,1", "--cpus,first", "--cpus,[99999]"})
  void aBadValueIsRefusedWithTheNameOfItsOption(String option, String value) {
    assertThatThrownBy(() -> parse(option, value))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContainingAll(option, value);
  }

  @Test
  void theHelpTextKeepsTheOrderAndShowsTheDefaults() {
    assertThat(new CommandLine(new Some()).getUsageMessage())
        .containsSubsequence(
            "--first",
            "--quiet[=BOOLEAN]",
            "default false",
            "-k, --keep[=BOOLEAN]",
            "default true",
            "--preset",
            "--cpus=MASK");
  }
}
