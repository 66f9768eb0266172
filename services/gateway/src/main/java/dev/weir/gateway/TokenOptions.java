package dev.weir.gateway;

import static dev.weir.options.OptionTypes.text;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;

/**
 * Where a gateway finds the bearer tokens it accepts: files, and the environment variables {@code
 * WEIR_DATA_TOKENS}, {@code WEIR_ADMIN_TOKENS} and {@code WEIR_METRICS_TOKENS}. Never a token
 * itself, so that options can be printed. There is no default token.
 */
public final class TokenOptions extends JsonOptions<TokenOptions> {
  /** {@value}. */
  public static final long DEFAULT_RELOAD_INTERVAL_MS = 10_000;

  private static final long MAX_RELOAD_INTERVAL_MS = 86_400_000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> DATA_TOKENS_FILE =
      OPTIONS
          .add("dataTokensFile", text("the path of a file"), null)
          .does("File with the tokens that may call services.");
  private static final Option<String> ADMIN_TOKENS_FILE =
      OPTIONS
          .add("adminTokensFile", text("the path of a file"), null)
          .does("File with the tokens that may administer.");
  private static final Option<String> METRICS_TOKENS_FILE =
      OPTIONS
          .add("metricsTokensFile", text("the path of a file"), null)
          .does("File with the tokens that may read metrics only.");
  private static final Option<Long> RELOAD_INTERVAL_MS =
      OPTIONS
          .whole("reloadIntervalMs", DEFAULT_RELOAD_INTERVAL_MS, 0, MAX_RELOAD_INTERVAL_MS)
          .does("Time between two looks at the files; 0 for none.");
  private static final Option<Boolean> METRICS_OPEN =
      OPTIONS.flag("metricsOpen", false).does("Whether metrics need no token on any address.");

  public TokenOptions() {
    super(OPTIONS);
  }

  public TokenOptions(TokenOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public TokenOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  /** Null if none is named. */
  public String getDataTokensFile() {
    return get(DATA_TOKENS_FILE);
  }

  /**
   * The tokens that may call services, one a line, each with a name before it if wanted: {@code
   * name:token}. Blank lines and those that begin with # are skipped. Every token of the file is
   * valid, so that an old and a new one can be used side by side.
   */
  public TokenOptions setDataTokensFile(String dataTokensFile) {
    return set(DATA_TOKENS_FILE, dataTokensFile);
  }

  /** Null if none is named. */
  public String getAdminTokensFile() {
    return get(ADMIN_TOKENS_FILE);
  }

  /** The tokens that may administer; without any, admin routes are closed. */
  public TokenOptions setAdminTokensFile(String adminTokensFile) {
    return set(ADMIN_TOKENS_FILE, adminTokensFile);
  }

  /** Null if none is named. */
  public String getMetricsTokensFile() {
    return get(METRICS_TOKENS_FILE);
  }

  /** The tokens that may read metrics and nothing else; data and admin tokens may as well. */
  public TokenOptions setMetricsTokensFile(String metricsTokensFile) {
    return set(METRICS_TOKENS_FILE, metricsTokensFile);
  }

  public long getReloadIntervalMs() {
    return get(RELOAD_INTERVAL_MS);
  }

  /**
   * How often the files are looked at for new contents, 0 to 86,400,000 ms; 0 for only when {@link
   * Gateway#reload()} is called. {@value #DEFAULT_RELOAD_INTERVAL_MS} by default.
   */
  public TokenOptions setReloadIntervalMs(long reloadIntervalMs) {
    return set(RELOAD_INTERVAL_MS, reloadIntervalMs);
  }

  public boolean isMetricsOpen() {
    return get(METRICS_OPEN);
  }

  /**
   * Whether metrics need no token on any address. By default they need none on a loopback address,
   * and elsewhere none only while no token and no handler of an {@link Authentication} for calls is
   * configured.
   */
  public TokenOptions setMetricsOpen(boolean metricsOpen) {
    return set(METRICS_OPEN, metricsOpen);
  }
}
