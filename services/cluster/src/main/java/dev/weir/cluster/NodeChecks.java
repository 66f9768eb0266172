package dev.weir.cluster;

import dev.weir.options.Checks;
import dev.weir.options.OptionType;
import dev.weir.options.OptionTypes;
import java.util.Set;

/** Checks options of a member. */
final class NodeChecks {
  private static final Set<String> ANY_HOST = Set.of("0.0.0.0", "::");
  private static final int MAX_PORT = 65_535;

  private NodeChecks() {}

  static OptionType<String> host(boolean nullAllowed) {
    String allowed =
        "one address of this machine that other members reach" + (nullAllowed ? ", or null" : "");
    return OptionTypes.anyText()
        .orNull()
        .with(
            allowed,
            (option, host) -> {
              boolean one =
                  host == null ? nullAllowed : !host.isBlank() && !ANY_HOST.contains(host);
              if (!one) {
                throw Checks.notAllowed(option, host, allowed);
              }
              return host;
            });
  }

  static void checkAddress(String option, String address) {
    int colon = address == null ? -1 : address.lastIndexOf(':');
    String port = address == null ? "" : address.substring(colon + 1);
    if (colon < 1 || !port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > MAX_PORT) {
      throw new IllegalArgumentException(
          option
              + " contains "
              + address
              + ", allowed is host:port with a port of 1 to "
              + MAX_PORT);
    }
  }

  /**
   * Checks that all files of TLS are named, or none.
   *
   * @throws IllegalArgumentException naming them if not
   */
  static void checkTls(NodeOptions options) {
    boolean none = options.getTlsCertificates() == null;
    if (none != (options.getTlsKey() == null) || none != (options.getTlsTrusted() == null)) {
      throw new IllegalArgumentException(
          "tlsCertificates is "
              + options.getTlsCertificates()
              + ", tlsKey is "
              + options.getTlsKey()
              + ", tlsTrusted is "
              + options.getTlsTrusted()
              + ", allowed is a file for all three or for none");
    }
  }
}
