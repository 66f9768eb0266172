package dev.weir.gateway;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.smallWhole;
import static dev.weir.flow.OptionReader.text;

import dev.weir.flow.OptionReader;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/** Where a gateway listens, and what it allows. */
public final class GatewayOptions {
  /** {@value}: this machine only. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** {@value}. */
  public static final int DEFAULT_PORT = 8080;

  private String host = DEFAULT_HOST;
  private int port = DEFAULT_PORT;

  public GatewayOptions() {}

  public GatewayOptions(GatewayOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public GatewayOptions(JsonObject json) {
    new OptionReader(
            Map.of(
                "host", value -> setHost(text("host", value)),
                "port", value -> setPort(smallWhole("port", value))))
        .apply(json);
  }

  public JsonObject toJson() {
    return new JsonObject().put("host", host).put("port", port);
  }

  public String getHost() {
    return host;
  }

  /** The address to listen on; by default {@value #DEFAULT_HOST}. */
  public GatewayOptions setHost(String host) {
    if (OptionReader.notNull("host", host).isBlank()) {
      throw new IllegalArgumentException("host is blank, allowed is a name or an address");
    }
    this.host = host;
    return this;
  }

  public int getPort() {
    return port;
  }

  /** 0 to 65,535; 0 for any that is free. {@value #DEFAULT_PORT} by default. */
  public GatewayOptions setPort(int port) {
    this.port = (int) range("port", port, 0, 65_535);
    return this;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
