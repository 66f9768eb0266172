package dev.weir.gateway;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionTypes;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The pages of other origins that may call services from a browser (CORS). By default none may.
 * Administration is never open to other origins.
 */
public final class CorsOptions extends JsonOptions<CorsOptions> {
  /** Stands for every origin. */
  public static final String ANY = "*";

  /** {@value} s a browser may keep what it was told. */
  public static final int DEFAULT_MAX_AGE_SECONDS = 600;

  private static final Pattern ORIGIN =
      Pattern.compile("https?://(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)(:\\d{1,5})?");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<List<String>> ORIGINS =
      OPTIONS
          .add("origins", OptionTypes.texts(CorsOptions::requireOrigin), List.of())
          .does("The origins whose pages may call services.");
  private static final Option<List<String>> HEADERS =
      OPTIONS
          .add("headers", OptionTypes.texts(CorsOptions::requireHeader), List.of())
          .does("Request headers that pages may send besides those of the gateway.");
  private static final Option<Integer> MAX_AGE_SECONDS =
      OPTIONS
          .integer("maxAgeSeconds", DEFAULT_MAX_AGE_SECONDS, 0, 86_400)
          .does("How long a browser may keep what it was told.");

  public CorsOptions() {
    super(OPTIONS);
  }

  public CorsOptions(CorsOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public CorsOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  private static void requireOrigin(String option, String origin) {
    if (origin == null || !origin.equals(ANY) && !ORIGIN.matcher(origin).matches()) {
      throw new IllegalArgumentException(
          option
              + " has "
              + origin
              + ", allowed are origins such as https://app.example:8443, and * for any");
    }
  }

  private static void requireHeader(String option, String header) {
    if (header == null || !HEADER.matcher(header).matches()) {
      throw new IllegalArgumentException(
          option + " has " + header + ", allowed are names of headers");
    }
  }

  public List<String> getOrigins() {
    return get(ORIGINS);
  }

  /**
   * The origins whose pages may call services: scheme, host and port as a browser writes them,
   * without a path. {@code *} opens services to pages of any origin that have a data token. Pages
   * of an origin that is named need one only if data tokens are configured. None by default.
   *
   * @param origins copied; not null
   */
  public CorsOptions setOrigins(List<String> origins) {
    return set(ORIGINS, origins);
  }

  public List<String> getHeaders() {
    return get(HEADERS);
  }

  /**
   * Request headers that pages may send besides those that the gateway knows: {@code
   * Authorization}, {@code Content-Type}, {@code Idempotency-Key}, {@code Weir-Timeout-Ms}, {@code
   * Weir-Durability} and the names in {@link GatewayOptions#setForwardedHeaders}. None by default.
   *
   * @param headers copied; not null
   */
  public CorsOptions setHeaders(List<String> headers) {
    return set(HEADERS, headers);
  }

  public int getMaxAgeSeconds() {
    return get(MAX_AGE_SECONDS);
  }

  /** 0 to 86,400 s; {@value #DEFAULT_MAX_AGE_SECONDS} by default. */
  public CorsOptions setMaxAgeSeconds(int maxAgeSeconds) {
    return set(MAX_AGE_SECONDS, maxAgeSeconds);
  }
}
