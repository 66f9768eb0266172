package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one more group at rest costs a member. */
@Tag("slow")
@Timeout(900)
class ManyGroupsTest {
  private static final int FEW = 20;
  private static final int MANY = 220;
  private static final Pattern FIGURE = Pattern.compile("(\\w+)=(\\d+)");

  @TempDir Path directory;

  @Test
  void aGroupAtRestTakesNoThreadAndLittleMemory() {
    Map<String, Long> few = figures(FEW);
    Map<String, Long> many = figures(MANY);
    long groups = MANY - FEW;
    System.out.printf("many groups test: %d groups %s, %d groups %s%n", FEW, few, MANY, many);
    assertThat(many.get("threads")).as("threads").isLessThanOrEqualTo(few.get("threads") + 2);
    assertThat(many.get("files")).as("files").isLessThanOrEqualTo(few.get("files") + 5);
    long kib =
        many.get("heapKiB") + many.get("directKiB") - few.get("heapKiB") - few.get("directKiB");
    assertThat(kib / groups).as("KiB of memory for each group").isLessThan(200);
  }

  private Map<String, Long> figures(int groups) {
    try (ChildJvm child =
        ChildJvm.of(ManyGroupsChild.class)
            .flags("-Xmx1g")
            .start(
                directory.resolve("d" + groups).toString(),
                "a",
                "a",
                "" + FreePorts.one(),
                "" + groups,
                "TCP",
                "true")) {
      // Each wait has its own limit, and a busy machine needs long for each of these.
      child.await("joined ms ");
      child.await(ManyGroupsChild.STARTED);
      child.await(ManyGroupsChild.SETTLED);
      Matcher figure = FIGURE.matcher(child.await(ManyGroupsChild.FIGURES));
      Map<String, Long> figures = new HashMap<>();
      while (figure.find()) {
        figures.put(figure.group(1), Long.parseLong(figure.group(2)));
      }
      return figures;
    }
  }
}
