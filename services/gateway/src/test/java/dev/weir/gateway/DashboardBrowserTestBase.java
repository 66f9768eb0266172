package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node with a dashboard, and a real browser; skipped on a machine that has none. */
@Tag("slow")
@Timeout(value = 900, unit = TimeUnit.SECONDS)
abstract class DashboardBrowserTestBase {
  @TempDir static Path profile;
  static Browser browser;
  @TempDir Path directory;
  DashboardServer node;

  @BeforeAll
  static void startBrowser() {
    browser = Browser.start(profile);
  }

  @AfterAll
  static void stopBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void startNode() {
    node = new DashboardServer(directory);
    browser.resize(1280, 900, false);
    browser.prefer("light");
    browser.complaints();
  }

  @AfterEach
  void stopNode() {
    browser.open("about:blank");
    node.close();
  }

  /** The charts follow the size of the window a moment later. */
  static void assertNoSidewaysScroll() {
    Await.until(
        "nothing is wider than the window",
        () -> (Long) browser.run("return document.documentElement.scrollWidth") <= 320);
  }

  /** In dark colours and on a small screen too. */
  static void assertFitsAndHindersNobody() throws IOException {
    assertThat(browser.hindrances()).isEmpty();
    browser.prefer("dark");
    assertThat(browser.hindrances()).isEmpty();
    browser.resize(320, 640, true);
    assertNoSidewaysScroll();
    assertThat(browser.hindrances()).isEmpty();
    assertThat(browser.complaints()).isEmpty();
  }
}
