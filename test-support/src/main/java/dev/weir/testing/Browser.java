package dev.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless Chromium of this machine, with a profile of its own. The module that uses it has
 * Selenium and axe-core among its test dependencies. For one thread.
 */
public final class Browser implements AutoCloseable {
  private static final List<String> CHROMIUM =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final List<String> DRIVER =
      List.of("/usr/bin/chromedriver", "/usr/lib/chromium-browser/chromedriver");

  /** On a busy machine it takes its time to start, and to look at a whole page. */
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Skips the test where there is no Chromium with its driver. */
  public static Browser start(Path profile) {
    Optional<String> chromium = first(CHROMIUM);
    Optional<String> chromeDriver = first(DRIVER);
    assumeTrue(
        chromium.isPresent() && chromeDriver.isPresent(),
        "no Chromium with chromedriver: install Debian's chromium and chromium-driver");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options =
        new ChromeOptions()
            .setBinary(chromium.get())
            .addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(Path.of(chromeDriver.get()).toFile())
            .usingAnyFreePort()
            .withTimeout(PATIENCE)
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    return new Browser(driver);
  }

  private static Optional<String> first(List<String> paths) {
    return paths.stream().filter(path -> Files.isExecutable(Path.of(path))).findFirst();
  }

  /** Loads a page and waits until it is there. */
  public void open(String url) {
    driver.get(url);
  }

  /** The address of the page. */
  public String url() {
    return driver.getCurrentUrl();
  }

  /** What the style sheet sees as the size of the window, in CSS pixels. */
  public void resize(int width, int height, boolean mobile) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", mobile));
  }

  /** Lets the style sheet see {@code screen} or {@code print}. */
  public void media(String medium) {
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", medium));
  }

  /** Lets the page see that the user prefers {@code light} or {@code dark}. */
  public void prefer(String colorScheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
  }

  /** The first element that matches. */
  public WebElement find(String css) {
    return driver.findElement(By.cssSelector(css));
  }

  /** Empty as well while the element is not there. */
  public String text(String css) {
    try {
      List<WebElement> found = driver.findElements(By.cssSelector(css));
      return found.isEmpty() ? "" : found.get(0).getText();
    } catch (StaleElementReferenceException e) {
      return "";
    }
  }

  /** Whether a matching element can be seen. */
  public boolean isShown(String css) {
    try {
      return driver.findElements(By.cssSelector(css)).stream().anyMatch(WebElement::isDisplayed);
    } catch (StaleElementReferenceException e) {
      return false;
    }
  }

  /** Waits until the element has this text in it. */
  public void awaitText(String css, String part) {
    Await.until(css + " says " + part, () -> text(css).contains(part) || isLater());
  }

  /** Clicks the element when it is shown. */
  public void click(String css) {
    Await.until(css + " is shown", () -> isShown(css) || isLater());
    find(css).click();
  }

  /** False after a while: a question costs the browser, which has the page to draw as well. */
  public static boolean isLater() {
    LockSupport.parkNanos(LOOK_NS);
    return false;
  }

  /** Presses keys, wherever the focus is. */
  public void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  /** Presses the tab key until the focus is on the element, as a user without a mouse would. */
  public void tabTo(String css) {
    for (int i = 0; i < 60; i++) {
      if (is(css + ":focus")) {
        return;
      }
      press(Keys.TAB);
    }
    throw new AssertionError("the tab key does not lead to " + css);
  }

  /** Whether an element matches. */
  public boolean is(String css) {
    return !driver.findElements(By.cssSelector(css)).isEmpty();
  }

  /** Runs a script in the page and returns what it returns. */
  public Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** What hinders people, as axe-core finds it: one line each. */
  public List<?> hindrances() throws IOException {
    try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
      run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    return (List<?>)
        driver.executeAsyncScript(
            """
            const done = arguments[0];
            axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
              .then(result => done(result.violations.flatMap(rule =>
                rule.nodes.map(node => `${rule.id}: ${node.html} ${node.failureSummary}`))));
            """);
  }

  /** What the console of the page has said since the last call, but for lost connections. */
  public List<String> complaints() {
    Stream<String> lines =
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
            .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
            .map(entry -> entry.getMessage());
    return lines.filter(line -> !line.contains("net::ERR_")).toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
