package dev.weir.bench.eventbus.http;

/**
 * Measured figures of Xenon: a PUT of a state of 330 bytes of JSON over HTTP, 128 services, 5
 * rounds.
 */
final class XenonFigures {
  /** Where the figures come from. */
  static final String SOURCE =
      "Xenon (xenon-common 1.6.14.1, JDK 17), PUT of 330 bytes of JSON over loopback HTTP,"
          + " measured on a 2-core machine of the same kind: min 20,257, median 23,152, max"
          + " 30,120/s";

  /** Its median, in requests a second. */
  static final int MEDIAN = 23_152;

  private XenonFigures() {}
}
