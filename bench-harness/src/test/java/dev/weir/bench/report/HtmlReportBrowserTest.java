package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser; skipped on a machine that has none. */
@Tag("slow")
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class HtmlReportBrowserTest {
  /** How many canvases have nothing drawn on them. */
  private static final String EMPTY =
      """
      return [...document.querySelectorAll('canvas')].filter(canvas => {
        const blank = document.createElement('canvas');
        [blank.width, blank.height] = [canvas.width, canvas.height];
        return canvas.toDataURL() === blank.toDataURL();
      }).length
      """;

  private static final String PICTURE = "return document.querySelector('canvas').toDataURL()";
  private static final String NO_WIDER =
      "return document.documentElement.scrollWidth <= innerWidth";

  @TempDir private Path directory;

  @Test
  void everyChartIsDrawnInLightDarkAndPrintAndHindersNobody() throws IOException {
    new ResultFiles(directory).write(HtmlReportTest.results());
    try (Browser browser = Browser.start(directory.resolve("profile"))) {
      browser.open(directory.resolve(HtmlReport.FILE_NAME).toUri().toString());
      assertThat(browser.find("html").getDomAttribute("data-drawn")).isEqualTo("4");
      String light = "";
      for (String scheme : new String[] {"light", "dark"}) {
        browser.prefer(scheme);
        String before = light;
        // The page draws again when the browser gets to it.
        Await.until(
            "the colours of light and dark differ",
            () -> !browser.run(PICTURE).equals(before) || Browser.isLater());
        light = browser.run(PICTURE).toString();
        assertThat(browser.run(EMPTY)).as("empty canvases in " + scheme).isEqualTo(0L);
        assertThat(browser.hindrances()).as("in " + scheme).isEmpty();
      }
      browser.resize(390, 800, true);
      Await.until(
          "a phone does not scroll sideways",
          () -> browser.run(NO_WIDER).equals(true) || Browser.isLater());
      browser.media("print");
      assertThat(browser.isShown("nav")).isFalse();
      assertThat(browser.complaints()).isEmpty();
    }
  }
}
