package dev.weir.gateway;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.text;
import static dev.weir.flow.OptionReader.truth;
import static dev.weir.flow.OptionReader.whole;

import dev.weir.flow.OptionReader;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Where a gateway finds the bearer tokens it accepts: files, and the environment variables {@code
 * WEIR_DATA_TOKENS}, {@code WEIR_ADMIN_TOKENS} and {@code WEIR_METRICS_TOKENS}. Never a token
 * itself, so that options can be printed. There is no default token.
 */
public final class TokenOptions {
  /** {@value}. */
  public static final long DEFAULT_RELOAD_INTERVAL_MS = 10_000;

  private static final long MAX_RELOAD_INTERVAL_MS = 86_400_000;

  private static final String DATA = "dataTokensFile";
  private static final String ADMIN = "adminTokensFile";
  private static final String METRICS = "metricsTokensFile";
  private static final List<String> FILES = List.of(DATA, ADMIN, METRICS);

  private final Map<String, String> files = new TreeMap<>();
  private long reloadIntervalMs = DEFAULT_RELOAD_INTERVAL_MS;
  private boolean metricsOpen;

  public TokenOptions() {}

  public TokenOptions(TokenOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public TokenOptions(JsonObject json) {
    Map<String, Consumer<Object>> setters = new HashMap<>();
    for (String file : FILES) {
      setters.put(file, value -> setFile(file, text(file, value)));
    }
    setters.put("reloadIntervalMs", value -> setReloadIntervalMs(whole("reloadIntervalMs", value)));
    setters.put("metricsOpen", value -> setMetricsOpen(truth("metricsOpen", value)));
    new OptionReader(setters).apply(json);
  }

  /** Without what is not set. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject();
    files.forEach(json::put);
    return json.put("reloadIntervalMs", reloadIntervalMs).put("metricsOpen", metricsOpen);
  }

  /** Null if none is named. */
  public String getDataTokensFile() {
    return files.get(DATA);
  }

  /**
   * The tokens that may call services, one a line, each with a name before it if wanted: {@code
   * name:token}. Blank lines and those that begin with # are skipped. Every token of the file is
   * valid, so that an old and a new one can be used side by side.
   */
  public TokenOptions setDataTokensFile(String dataTokensFile) {
    return setFile(DATA, dataTokensFile);
  }

  /** Null if none is named. */
  public String getAdminTokensFile() {
    return files.get(ADMIN);
  }

  /** The tokens that may administer; without any, admin routes are closed. */
  public TokenOptions setAdminTokensFile(String adminTokensFile) {
    return setFile(ADMIN, adminTokensFile);
  }

  /** Null if none is named. */
  public String getMetricsTokensFile() {
    return files.get(METRICS);
  }

  /** The tokens that may read metrics and nothing else; data and admin tokens may as well. */
  public TokenOptions setMetricsTokensFile(String metricsTokensFile) {
    return setFile(METRICS, metricsTokensFile);
  }

  private TokenOptions setFile(String option, String file) {
    files.put(option, TlsOptions.notBlank(option, file));
    return this;
  }

  public long getReloadIntervalMs() {
    return reloadIntervalMs;
  }

  /**
   * How often the files are looked at for new contents, 0 to 86,400,000 ms; 0 for only when {@link
   * Gateway#reload()} is called. {@value #DEFAULT_RELOAD_INTERVAL_MS} by default.
   */
  public TokenOptions setReloadIntervalMs(long reloadIntervalMs) {
    this.reloadIntervalMs = range("reloadIntervalMs", reloadIntervalMs, 0, MAX_RELOAD_INTERVAL_MS);
    return this;
  }

  public boolean isMetricsOpen() {
    return metricsOpen;
  }

  /**
   * Whether metrics need no token on any address. By default they need none on a loopback address,
   * and elsewhere none only while no token is configured at all.
   */
  public TokenOptions setMetricsOpen(boolean metricsOpen) {
    this.metricsOpen = metricsOpen;
    return this;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
