package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * The options that all three programs have. Names, short names and defaults are those of the Rumi
 * benchmark's loggers, which the help texts call the seed.
 */
final class LoggerOptions {

  @Option(
      names = {"-c", "--count"},
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Messages to persist, default ${DEFAULT-VALUE}. A packet of the seed is one encoded"
              + " message, so packet-logger counts messages as well.")
  long count;

  @Option(
      names = {"-t", "--warmupTime"},
      paramLabel = "SECONDS",
      defaultValue = "2",
      description =
          "Seconds of the same work before the measured run, in a log of its own, thrown away;"
              + " default ${DEFAULT-VALUE}.")
  int warmupTime;

  @Option(
      names = {"-r", "--rate"},
      paramLabel = "PER_SECOND",
      defaultValue = "-1",
      description =
          "Messages per second; -1, the default, is as fast as it goes. With a rate, latency counts"
              + " from the time a message should have been written.")
  double rate;

  @Option(
      names = {"-i", "--initialLogLength"},
      paramLabel = "GB",
      defaultValue = "1",
      description =
          "Accepted without effect: JE appends to files of 256 MiB and never preallocates; default"
              + " ${DEFAULT-VALUE}.")
  double initialLogLength;

  @Option(
      names = {"-z", "--zeroOutInitial"},
      description = "Accepted without effect: nothing is preallocated, so nothing is zeroed.")
  Flag zeroOutInitial = Flag.OFF;

  @Option(
      names = {"-a", "--writeBufferSize"},
      paramLabel = "BYTES",
      defaultValue = "8192",
      description =
          "Each of JE's three log buffers (je.log.bufferSize); default ${DEFAULT-VALUE}, or what"
              + " a commit needs to be one write.")
  int writeBufferSize;

  @Option(
      names = {"-b", "--readBufferSize"},
      paramLabel = "BYTES",
      defaultValue = "8192",
      description =
          "How much JE reads at once (je.log.faultReadSize, je.log.iteratorReadSize); default"
              + " ${DEFAULT-VALUE}.")
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
          "Commits to files opened with O_DSYNC: forced to the device, survives a power loss. Goes before"
              + " --flushOnCommit.")
  Flag syncOnCommit = Flag.OFF;

  @Option(
      names = {"-d", "--detached"},
      description = "Writes on a thread of its own, behind a bounded queue.")
  Flag detached = Flag.OFF;

  @Option(
      names = {"-q", "--queueDepth"},
      paramLabel = "N",
      defaultValue = "1024",
      description = "Messages that wait for a detached writer; default ${DEFAULT-VALUE}.")
  int queueDepth;

  @Option(
      names = {"-j", "--affinity"},
      description =
          "CPUs the writing thread may run on, as a list ([1]: the second) or a mask (0x2 or 2: the"
              + " second); default: any.")
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
      description = "Size of each message; default ${DEFAULT-VALUE}. Not in the seed.")
  int messageBytes;

  @Option(
      names = "--keep",
      description = "Leaves the log where it is; otherwise it is removed. Not in the seed.")
  Flag keep = Flag.OFF;

  /** What a commit waits for. */
  Flush flush() {
    if (syncOnCommit.on()) {
      return Flush.DISK;
    }
    return flushOnCommit.on() ? Flush.OS : Flush.NONE;
  }

  /** A file of latencies, or null. */
  Path latencies(Path logLocation, String program) {
    return noLatencyWrites.on() ? null : logLocation.resolve(program + ".latencies");
  }

  /** Checks every value; {@code usage} throws what ends the program with one line. */
  void check(Usage usage) {
    usage.range("--count", count, 1, 10_000_000_000L);
    usage.range("--warmupTime", warmupTime, 0, 3_600);
    usage.check(rate == -1 || rate > 0, "--rate", rate, "-1 or above 0");
    usage.check(initialLogLength >= 0, "--initialLogLength", initialLogLength, "0 or above");
    usage.range("--writeBufferSize", writeBufferSize, 1 << 10, 64 << 20);
    usage.range("--readBufferSize", readBufferSize, 1 << 7, 64 << 20);
    usage.range("--queueDepth", queueDepth, 1, 10_000_000);
    usage.range("--messageBytes", messageBytes, 16, 16 << 20);
  }
}
