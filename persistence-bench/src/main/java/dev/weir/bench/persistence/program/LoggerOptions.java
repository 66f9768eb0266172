package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine.Option;

/**
 * The options that all three programs have. Names, short names and defaults are those of the Rumi
 * benchmark's loggers, which the help texts call the seed.
 */
final class LoggerOptions {
  @Option(
      names = {"-c", "--count"},
      defaultValue = "1000000",
      description =
          "Messages to persist. A packet of the seed is one encoded message, so packet-logger"
              + " counts messages as well.")
  long count;

  @Option(
      names = {"-t", "--warmupTime"},
      paramLabel = "SECONDS",
      defaultValue = "2",
      description =
          "Seconds of the same work before the measured run. The log of the warm-up is removed.")
  int warmupTime;

  @Option(
      names = {"-r", "--rate"},
      paramLabel = "PER_SECOND",
      defaultValue = "-1",
      description =
          "Messages per second; -1 is as fast as possible. With a rate, latency counts from the"
              + " time a message should have been written.")
  double rate;

  @Option(
      names = "--logLocation",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Directory of the log and of the latencies.")
  Path logLocation;

  @Option(
      names = {"-i", "--initialLogLength"},
      paramLabel = "GB",
      defaultValue = "1",
      description = "Has no effect: JE appends to files of 256 MiB and never preallocates.")
  double initialLogLength;

  @Option(
      names = {"-z", "--zeroOutInitial"},
      description = "Has no effect: nothing is preallocated, so nothing is zeroed.")
  Flag zeroOutInitial = Flag.OFF;

  @Option(
      names = {"-a", "--writeBufferSize"},
      paramLabel = "BYTES",
      defaultValue = "8192",
      description =
          "Each of JE's three log buffers (je.log.bufferSize). A commit that needs more gets more,"
              + " so that it is one write.")
  int writeBufferSize;

  @Option(
      names = {"-b", "--readBufferSize"},
      paramLabel = "BYTES",
      defaultValue = "8192",
      description = "How much JE reads at once (je.log.faultReadSize, je.log.iteratorReadSize).")
  int readBufferSize;

  @Option(
      names = {"-f", "--flushOnCommit"},
      description =
          "Commits with COMMIT_WRITE_NO_SYNC: written to the operating system, survives a killed"
              + " process. Otherwise COMMIT_NO_SYNC: in buffers of the process.")
  Flag flushOnCommit = Flag.OFF;

  @Option(
      names = {"-y", "--syncOnCommit"},
      description =
          "Commits to files opened with O_DSYNC: forced to the device, survives a power loss."
              + " Overrides --flushOnCommit.")
  Flag syncOnCommit = Flag.OFF;

  @Option(
      names = {"-d", "--detached"},
      description = "Writes on a thread of its own, behind a bounded queue.")
  Flag detached = Flag.OFF;

  @Option(
      names = {"-q", "--queueDepth"},
      defaultValue = "1024",
      description = "Messages that wait for a detached writer at most.")
  int queueDepth;

  @Option(
      names = {"-j", "--affinity"},
      description = "CPUs the writing thread may run on.")
  CpuMask affinity = CpuMask.ANY;

  @Option(
      names = "--noLatencyWrites",
      description =
          "Writes no file of latencies; otherwise <logLocation>/<program>.latencies has the latency"
              + " of every message in ns, in order, as big-endian 8-byte integers. The seed's -a"
              + " stands for --writeBufferSize here.")
  Flag noLatencyWrites = Flag.OFF;

  @Option(
      names = "--printIntervalStats",
      description =
          "Prints rate and percentiles of every second. The seed's -b stands for --readBufferSize"
              + " here.")
  Flag printIntervalStats = Flag.OFF;

  @Option(
      names = "--messageBytes",
      paramLabel = "BYTES",
      defaultValue = "256",
      description = "Size of each message. Not in the seed.")
  int messageBytes;

  @Option(
      names = "--keep",
      description = "Leaves the log where it is; otherwise it is removed. Not in the seed.")
  Flag keep = Flag.OFF;

  /** The options of the two programs whose commits hold a given number of messages. */
  static final class Commits {
    private static final Set<String> LOG_MODES = Set.of("rw", "rws", "rwd");

    @Option(
        names = "--logMode",
        paramLabel = "MODE",
        defaultValue = "rw",
        description =
            "rw; or rws or rwd: every write waits for the device (je.log.useODSYNC), on JE the"
                + " same.")
    String logMode;

    @Option(
        names = {"-n", "--numPerCommit"},
        defaultValue = "1",
        description = "Messages or state changes of a commit.")
    int numPerCommit;

    void check(Usage usage) {
      usage.check(LOG_MODES.contains(logMode), "--logMode", logMode, "rw, rws or rwd");
      usage.range("--numPerCommit", numPerCommit, 1, 1_000_000);
    }

    boolean deviceWrites() {
      return !logMode.equals("rw");
    }
  }

  /** What a commit waits for. */
  Flush flush() {
    if (syncOnCommit.on()) {
      return Flush.DISK;
    }
    return flushOnCommit.on() ? Flush.OS : Flush.NONE;
  }

  /** A file of latencies, or null. */
  Path latencies(String program) {
    return noLatencyWrites.on() ? null : logLocation.resolve(program + ".latencies");
  }

  /** Checks every value; {@code usage} throws what ends the program with one line. */
  void check(Usage usage) {
    usage.range("--count", count, 1, 10_000_000_000L);
    usage.range("--warmupTime", warmupTime, 0, 3_600);
    usage.check(rate == -1 || rate > 0, "--rate", rate, "-1 or above 0");
    usage.check(
        !Files.exists(logLocation) || Files.isDirectory(logLocation),
        "--logLocation",
        logLocation,
        "a directory, created if absent");
    usage.check(initialLogLength >= 0, "--initialLogLength", initialLogLength, "0 or above");
    usage.range("--writeBufferSize", writeBufferSize, 1 << 10, 64 << 20);
    usage.range("--readBufferSize", readBufferSize, 1 << 7, 64 << 20);
    usage.range("--queueDepth", queueDepth, 1, 10_000_000);
    usage.range("--messageBytes", messageBytes, 16, 16 << 20);
  }
}
