package dev.weir.gateway;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.text;
import static dev.weir.flow.OptionReader.whole;

import dev.weir.flow.OptionReader;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * Where a gateway finds its certificate and its key. TLS 1.2 and 1.3 are spoken, HTTP/2 and
 * HTTP/1.1 offered by ALPN.
 */
public final class TlsOptions {
  /** {@value}. */
  public static final long DEFAULT_RELOAD_INTERVAL_MS = 10_000;

  private static final long MAX_RELOAD_INTERVAL_MS = 86_400_000;

  private String certificateFile;
  private String keyFile;
  private long reloadIntervalMs = DEFAULT_RELOAD_INTERVAL_MS;

  public TlsOptions() {}

  public TlsOptions(TlsOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public TlsOptions(JsonObject json) {
    new OptionReader(
            Map.of(
                "certificateFile", value -> setCertificateFile(text("certificateFile", value)),
                "keyFile", value -> setKeyFile(text("keyFile", value)),
                "reloadIntervalMs", value -> setReloadIntervalMs(whole("reloadIntervalMs", value))))
        .apply(json);
  }

  /** Without what is not set. */
  public JsonObject toJson() {
    JsonObject json = new JsonObject();
    if (certificateFile != null) {
      json.put("certificateFile", certificateFile);
    }
    if (keyFile != null) {
      json.put("keyFile", keyFile);
    }
    return json.put("reloadIntervalMs", reloadIntervalMs);
  }

  /** Whether a certificate is named; without one the gateway speaks plain HTTP. */
  public boolean isEnabled() {
    return certificateFile != null || keyFile != null;
  }

  /** Null if none is named. */
  public String getCertificateFile() {
    return certificateFile;
  }

  /** PEM, the server's certificate first, then those that signed it; asks for a key file. */
  public TlsOptions setCertificateFile(String certificateFile) {
    this.certificateFile = notBlank("certificateFile", certificateFile);
    return this;
  }

  /** Null if none is named. */
  public String getKeyFile() {
    return keyFile;
  }

  /** The certificate's private key, PEM, without a password; asks for a certificate file. */
  public TlsOptions setKeyFile(String keyFile) {
    this.keyFile = notBlank("keyFile", keyFile);
    return this;
  }

  public long getReloadIntervalMs() {
    return reloadIntervalMs;
  }

  /**
   * How often the files are looked at for new contents, 0 to 86,400,000 ms; 0 for only when {@link
   * Gateway#reload()} is called. {@value #DEFAULT_RELOAD_INTERVAL_MS} by default.
   */
  public TlsOptions setReloadIntervalMs(long reloadIntervalMs) {
    this.reloadIntervalMs = range("reloadIntervalMs", reloadIntervalMs, 0, MAX_RELOAD_INTERVAL_MS);
    return this;
  }

  static String notBlank(String option, String value) {
    if (OptionReader.notNull(option, value).isBlank()) {
      throw new IllegalArgumentException(option + " is blank, allowed is the path of a file");
    }
    return value;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
