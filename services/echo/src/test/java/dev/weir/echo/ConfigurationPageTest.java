package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.ThreadOptions;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.RemoteConsumerOptions;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.TopicOptions;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.CorsOptions;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.HealthOptions;
import dev.weir.gateway.LimitOptions;
import dev.weir.gateway.TlsOptions;
import dev.weir.gateway.TokenOptions;
import dev.weir.group.ShardOptions;
import dev.weir.launcher.ClusterOptions;
import dev.weir.options.Option;
import dev.weir.options.Options;
import dev.weir.queue.DeadLetterOptions;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.RetryOptions;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * docs/configuration.md shows each option as it is declared. {@code -Dweir.docs.write=true} writes
 * the page.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "configuration.md");

  /** The tables of the page stand between this line and the end of the page. */
  private static final String GENERATED = "<!-- The tables below are generated from the code. -->";

  private static final List<Options<?>> PROGRAM =
      List.of(
          new WeirOptions(),
          new ServiceOptions(),
          new TopicOptions(),
          new RemoteConsumerOptions(),
          new GatewayOptions(),
          new LimitOptions(),
          new TlsOptions(),
          new TokenOptions(),
          new CorsOptions(),
          new HealthOptions(),
          new ClusterOptions(),
          new NodeOptions(),
          new GroupOptions(),
          new ThreadOptions(),
          new ShardOptions(),
          new ProcessorClientOptions(),
          new DocumentsOptions(),
          new FactoryOptions(),
          new QueueStoreOptions(Path.of("data")),
          new QueueOptions(),
          new RetryOptions(),
          new DeadLetterOptions());

  @Test
  void thePageShowsEachOptionAsItIsDeclared() throws Exception {
    String page = Files.readString(PAGE);
    int start = page.indexOf(GENERATED);
    assertThat(start).as("\"%s\" in %s", GENERATED, PAGE).isPositive();
    String expected = page.substring(0, start) + GENERATED + "\n" + tables();
    if (Boolean.getBoolean("weir.docs.write")) {
      Files.writeString(PAGE, expected);
      return;
    }
    assertThat(page)
        .as("%s is older than the options: run this test with -Dweir.docs.write=true", PAGE)
        .isEqualTo(expected);
  }

  @Test
  void thePageExplainsEachFailureCode() throws Exception {
    String page = Files.readString(PAGE);
    assertThat(FlowFailure.values())
        .allSatisfy(
            failure ->
                assertThat(page).contains("\n| " + failure.code() + " | `" + failure + "` |"));
  }

  private static String tables() {
    StringBuilder out = new StringBuilder();
    for (Options<?> options : PROGRAM) {
      out.append("\n## ").append(options.getClass().getSimpleName()).append("\n\n");
      out.append("| option | default | allowed | what it does |\n|---|---|---|---|\n");
      options.declared().all().forEach(option -> row(out, option));
    }
    return out.toString();
  }

  private static void row(StringBuilder out, Option<?> option) {
    out.append(
        "| `%s` | %s | %s | %s |\n"
            .formatted(
                option.name(),
                defaultOf(option.defaultValue()),
                cell(option.type().allowed()),
                cell(option.does())));
  }

  private static String defaultOf(Object value) {
    if (value == null || value.equals("")) {
      return "none";
    }
    if (value instanceof Options<?>) {
      return "its own table";
    }
    return "`" + cell(value instanceof Number number ? grouped(number) : value.toString()) + "`";
  }

  private static String grouped(Number number) {
    return number instanceof Double ? number.toString() : "%,d".formatted(number.longValue());
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
