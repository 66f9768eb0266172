package dev.weir.bench.cluster.options;

import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import dev.weir.processor.Encoding;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** General options, named as in the original benchmark. */
public final class GeneralOptions {
  private static final long MAX_COUNT = 10_000_000_000L;
  private static final long MAX_KEPT = 100_000_000;

  @Option(
      names = {"-l", "--encoding"},
      converter = EncodingConverter.class,
      paramLabel = "NAME",
      defaultValue = "protobuf.serial",
      description =
          "sbe.direct: flyweights on the buffers, no allocation; sbe.indirect: plain objects;"
              + " protobuf.serial: fields in the order of the bytes; protobuf.random: generated"
              + " messages, getters in any order; default ${DEFAULT-VALUE}. xbuf2.* and quark.* of the"
              + " original benchmark are proprietary: the error message says what to use instead.")
  public Encoding encoding;

  @Option(
      names = {"-c", "--count"},
      paramLabel = "N",
      defaultValue = "10000000",
      description = "Messages to inject; default ${DEFAULT-VALUE}.")
  public long count;

  @Option(
      names = {"-r", "--rate"},
      paramLabel = "PER_SECOND",
      defaultValue = "100000",
      description =
          "Messages per second; default ${DEFAULT-VALUE}. Latency counts from the time a message"
              + " should have been sent. -1: as fast as possible, with --window requests without a"
              + " reply.")
  public double rate;

  @Option(
      names = {"-t", "--warmupTime"},
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Seconds of the same work before the measured run; default ${DEFAULT-VALUE}.")
  public int warmupTime;

  @Option(
      names = {"-E", "--emptyMessage"},
      description = "Leaves the fields of the messages empty.")
  public Flag emptyMessage = Flag.OFF;

  @Option(
      names = {"-a", "--noLatencyWrites"},
      description =
          "Writes no file of latencies; otherwise <persisterLogLocation>/<program>.latencies has"
              + " the latency of every message in ns, in order, as big-endian 8-byte integers.")
  public Flag noLatencyWrites = Flag.OFF;

  @Option(
      names = {"-b", "--printIntervalStats"},
      description = "Prints rate and percentiles of every second.")
  public Flag printIntervalStats = Flag.OFF;

  void check(Usage usage) {
    usage.range("--count", count, 1, MAX_COUNT);
    usage.check(rate == -1 || rate > 0, "--rate", rate, "-1 or above 0");
    usage.range("--warmupTime", warmupTime, 0, 3_600);
    usage.check(
        noLatencyWrites.on() || count <= MAX_KEPT,
        "--count",
        count,
        "1 to " + MAX_KEPT + " unless --noLatencyWrites is given: latencies are kept in memory");
  }

  /** Takes the name of an encoding. */
  static final class EncodingConverter implements ITypeConverter<Encoding> {
    @Override
    public Encoding convert(String name) {
      try {
        return Encoding.parse(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
