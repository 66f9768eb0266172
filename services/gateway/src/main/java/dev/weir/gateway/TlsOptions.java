package dev.weir.gateway;

import static dev.weir.options.OptionTypes.text;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;

/**
 * Where a gateway finds its certificate and its key. TLS 1.2 and 1.3 are spoken, HTTP/2 and
 * HTTP/1.1 offered by ALPN.
 */
public final class TlsOptions extends JsonOptions<TlsOptions> {
  /** {@value}. */
  public static final long DEFAULT_RELOAD_INTERVAL_MS = 10_000;

  private static final long MAX_RELOAD_INTERVAL_MS = 86_400_000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> CERTIFICATE_FILE =
      OPTIONS
          .add("certificateFile", text("the path of a file"), null)
          .does("PEM file with the certificate and those that signed it.");
  private static final Option<String> KEY_FILE =
      OPTIONS
          .add("keyFile", text("the path of a file"), null)
          .does("PEM file with the private key of the certificate.");
  private static final Option<Long> RELOAD_INTERVAL_MS =
      OPTIONS
          .whole("reloadIntervalMs", DEFAULT_RELOAD_INTERVAL_MS, 0, MAX_RELOAD_INTERVAL_MS)
          .does("Time between two looks at the files; 0 for none.");

  public TlsOptions() {
    super(OPTIONS);
  }

  public TlsOptions(TlsOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public TlsOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  /** Whether a certificate is named; without one the gateway speaks plain HTTP. */
  public boolean isEnabled() {
    return getCertificateFile() != null || getKeyFile() != null;
  }

  /** Null if none is named. */
  public String getCertificateFile() {
    return get(CERTIFICATE_FILE);
  }

  /** PEM, the server's certificate first, then those that signed it; asks for a key file. */
  public TlsOptions setCertificateFile(String certificateFile) {
    return set(CERTIFICATE_FILE, certificateFile);
  }

  /** Null if none is named. */
  public String getKeyFile() {
    return get(KEY_FILE);
  }

  /** The certificate's private key, PEM, without a password; asks for a certificate file. */
  public TlsOptions setKeyFile(String keyFile) {
    return set(KEY_FILE, keyFile);
  }

  public long getReloadIntervalMs() {
    return get(RELOAD_INTERVAL_MS);
  }

  /**
   * How often the files are looked at for new contents, 0 to 86,400,000 ms; 0 for only when {@link
   * Gateway#reload()} is called. {@value #DEFAULT_RELOAD_INTERVAL_MS} by default.
   */
  public TlsOptions setReloadIntervalMs(long reloadIntervalMs) {
    return set(RELOAD_INTERVAL_MS, reloadIntervalMs);
  }
}
