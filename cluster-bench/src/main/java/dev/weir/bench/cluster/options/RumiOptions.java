package dev.weir.bench.cluster.options;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import dev.weir.processor.Encoding;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options of the Rumi benchmark, with its names, short names and defaults: what is injected,
 * the output, the message bus, the log, and clustering.
 */
public final class RumiOptions {
  private static final long MAX_COUNT = 10_000_000_000L;
  private static final long MAX_KEPT = 100_000_000;
  private static final String ANY_INTERFACE = "0.0.0.0";
  private static final String LOOPBACK = "127.0.0.1";

  @Option(
      names = {"-l", "--encoding"},
      converter = EncodingConverter.class,
      paramLabel = "NAME",
      defaultValue = "protobuf.serial",
      description =
          "sbe.direct: flyweights on the buffers, no allocation; sbe.indirect: plain objects;"
              + " protobuf.serial: fields in the order of the bytes; protobuf.random: generated"
              + " messages, getters in any order. xbuf2.* and quark.* of the original benchmark are"
              + " proprietary: the error message says what to use instead.")
  public Encoding encoding;

  @Option(
      names = {"-c", "--count"},
      defaultValue = "10000000",
      description = "Messages to inject.")
  public long count;

  @Option(
      names = {"-r", "--rate"},
      paramLabel = "PER_SECOND",
      defaultValue = "100000",
      description =
          "Messages per second. Latency counts from the time a message"
              + " should have been sent. -1: as fast as possible, with --window requests without a"
              + " reply.")
  public double rate;

  @Option(
      names = {"-t", "--warmupTime"},
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Seconds of the same work before the measured run.")
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

  @Option(
      names = {"-O", "--outputFile"},
      paramLabel = "FILE",
      description = "Excel workbook (.xlsx) to write the result to; created if absent.")
  public Path outputFile;

  @Option(
      names = {"-C", "--outputCell"},
      paramLabel = "ROW-COL",
      description =
          "Where in the first sheet, both counted from 1: there and to the right of it go the 50th,"
              + " 99th and 99.9th percentile in us, or the throughput alone.")
  public String outputCell;

  @Option(
      names = {"-T", "--outputThroughput"},
      description = "Writes and prints the throughput instead of the latency.")
  public Flag outputThroughput = Flag.OFF;

  @Option(
      names = {"-j", "--injectorCPUAffinityMask"},
      description = "CPUs for the thread that injects.")
  public CpuMask injectorCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-y", "--muxCPUAffinityMask"},
      description = "CPUs for the processor's thread.")
  public CpuMask muxCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-o", "--busDetachedSendCPUAffinityMask"},
      description = "CPUs for the detached sender.")
  public CpuMask busDetachedSendCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-u", "--busDetachedSend"},
      description = "Sends replies on a thread of their own. Default: as --cpu-config says.")
  public Flag busDetachedSend;

  @Option(
      names = {"-n", "--busDetachedSendQueueDepth"},
      defaultValue = "1024",
      description = "Replies that wait for a detached sender at most.")
  public int busDetachedSendQueueDepth;

  @Option(
      names = {"-e", "--enablePersistence"},
      description = "Keeps a transaction log on disk.")
  public Flag enablePersistence = Flag.OFF;

  @Option(
      names = {"-k", "--persisterLogLocation"},
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Directory of the log and of the latencies.")
  public Path persisterLogLocation;

  @Option(
      names = {"-i", "--persisterInitialLogLength"},
      paramLabel = "GB",
      defaultValue = "1",
      description = "Has no effect: JE appends to files as it needs them and never preallocates.")
  public double persisterInitialLogLength;

  @Option(
      names = {"-z", "--persisterZeroOutInitial"},
      description = "Has no effect: nothing is preallocated, so nothing is zeroed.")
  public Flag persisterZeroOutInitial = Flag.OFF;

  @Option(
      names = {"-w", "--persisterWriteBufferSize"},
      paramLabel = "BYTES",
      defaultValue = "8192",
      description =
          "Has no effect: each of the log's buffers has 1 MiB, and a batch that needs more is one"
              + " write.")
  public int persisterWriteBufferSize;

  @Option(
      names = {"-f", "--persisterFlushOnCommit"},
      description =
          "Hands every batch to the operating system before the member counts as having it: the"
              + " same as --ack-level persisted. The batch is not forced to the device, nor is it"
              + " in the original benchmark; --ack-level flushed does that.")
  public Flag persisterFlushOnCommit = Flag.OFF;

  @Option(
      names = {"-m", "--persisterFlushUsingMappedMemory"},
      description = "Has no effect: JE writes to files, it does not map them.")
  public Flag persisterFlushUsingMappedMemory = Flag.OFF;

  @Option(
      names = {"-d", "--persisterDetached"},
      description = "Writes the log on a thread of its own. Default: as --cpu-config says.")
  public Flag persisterDetached;

  @Option(
      names = {"-x", "--persisterWriterCPUAffinityMask"},
      description = "CPUs for the detached persister.")
  public CpuMask persisterWriterCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-v", "--enableClustering"},
      description = "Replicates to a backup.")
  public Flag enableClustering = Flag.OFF;

  @Option(
      names = {"-I", "--clusteringLocalIfAddr"},
      paramLabel = "ADDRESS",
      defaultValue = ANY_INTERFACE,
      description =
          "Interface for replication with --transport tcp; by default that by which members find"
              + " each other.")
  public String clusteringLocalIfAddr;

  @Option(
      names = {"-U", "--clusteringDiscoveryLocalIfAddr"},
      paramLabel = "ADDRESS",
      defaultValue = ANY_INTERFACE,
      description =
          "Interface by which members find each other, and for replication with --transport"
              + " hazelcast; by default that of --clusteringLocalIfAddr, or else 127.0.0.1.")
  public String clusteringDiscoveryLocalIfAddr;

  @Option(
      names = {"-W", "--clusteringLinkSpinRead"},
      description =
          "Polls the replication link instead of waiting for it. Default: as --cpu-config says.")
  public Flag clusteringLinkSpinRead;

  @Option(
      names = {"-V", "--clusteringLinkReaderCPUAffinityMask"},
      description = "CPUs for the reader of the replication link.")
  public CpuMask clusteringLinkReaderCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-S", "--clusteringDetachedSend"},
      description = "Sends replication on a thread of its own. Default: as --cpu-config says.")
  public Flag clusteringDetachedSend;

  @Option(
      names = {"-A", "--clusteringDetachedSenderCPUAffinityMask"},
      description = "CPUs for the detached sender of replication.")
  public CpuMask clusteringDetachedSenderCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-D", "--clusteringDetachedDispatch"},
      description =
          "Handles replicated messages on a thread of its own. Default: as --cpu-config says.")
  public Flag clusteringDetachedDispatch;

  @Option(
      names = {"-B", "--clusteringDetachedDispatcherCPUAffinityMask"},
      description = "CPUs for the detached dispatcher.")
  public CpuMask clusteringDetachedDispatcherCPUAffinityMask = CpuMask.ANY;

  /** The cell for the output; refused if the text does not name one. */
  public ExcelCell outputCell(Usage usage) {
    return ExcelCell.parse("--outputCell", outputCell, usage);
  }

  /** The address on which Hazelcast listens. */
  String host() {
    if (!clusteringDiscoveryLocalIfAddr.equals(ANY_INTERFACE)) {
      return clusteringDiscoveryLocalIfAddr;
    }
    return clusteringLocalIfAddr.equals(ANY_INTERFACE) ? LOOPBACK : clusteringLocalIfAddr;
  }

  /** The address on which the replication link listens. */
  String replicationHost() {
    return clusteringLocalIfAddr.equals(ANY_INTERFACE) ? host() : clusteringLocalIfAddr;
  }

  /** Refuses addresses of a member that has nobody to reach. */
  void checkAlone(Usage usage) {
    String allowed = ANY_INTERFACE + " without --enableClustering";
    usage.check(
        clusteringLocalIfAddr.equals(ANY_INTERFACE),
        "--clusteringLocalIfAddr",
        clusteringLocalIfAddr,
        allowed);
    usage.check(
        clusteringDiscoveryLocalIfAddr.equals(ANY_INTERFACE),
        "--clusteringDiscoveryLocalIfAddr",
        clusteringDiscoveryLocalIfAddr,
        allowed);
  }

  /** One line for each option that is given another value than its default, without effect. */
  List<String> warnings() {
    List<String> lines = new ArrayList<>();
    warn(lines, persisterInitialLogLength != 1, "--persisterInitialLogLength");
    warn(lines, persisterZeroOutInitial.on(), "--persisterZeroOutInitial");
    warn(lines, persisterWriteBufferSize != 8192, "--persisterWriteBufferSize");
    warn(lines, persisterFlushUsingMappedMemory.on(), "--persisterFlushUsingMappedMemory");
    return lines;
  }

  private static void warn(List<String> lines, boolean given, String option) {
    if (given) {
      lines.add(option + " has no effect on a log of JE; --help says why");
    }
  }

  /** Checks every value; {@code usage} throws what ends the program with one line. */
  void check(Usage usage) {
    usage.range("--count", count, 1, MAX_COUNT);
    usage.check(rate == -1 || rate > 0, "--rate", rate, "-1 or above 0");
    usage.range("--warmupTime", warmupTime, 0, 3_600);
    usage.check(
        noLatencyWrites.on() || count <= MAX_KEPT,
        "--count",
        count,
        "1 to " + MAX_KEPT + " unless --noLatencyWrites is given: latencies are kept in memory");
    checkOutput(usage);
    usage.range("--busDetachedSendQueueDepth", busDetachedSendQueueDepth, 1, 1 << 20);
    usage.check(
        persisterInitialLogLength >= 0,
        "--persisterInitialLogLength",
        persisterInitialLogLength,
        "0 or above");
    usage.range("--persisterWriteBufferSize", persisterWriteBufferSize, 1 << 10, 64 << 20);
    usage.check(
        !Files.exists(persisterLogLocation) || Files.isDirectory(persisterLogLocation),
        "--persisterLogLocation",
        persisterLogLocation,
        "a directory, created if absent");
    checkAddress("--clusteringLocalIfAddr", clusteringLocalIfAddr, usage);
    checkAddress("--clusteringDiscoveryLocalIfAddr", clusteringDiscoveryLocalIfAddr, usage);
  }

  private void checkOutput(Usage usage) {
    usage.check(
        (outputFile == null) == (outputCell == null),
        outputFile == null ? "--outputCell" : "--outputFile",
        outputFile == null ? outputCell : outputFile,
        "only together with " + (outputFile == null ? "--outputFile" : "--outputCell"));
    if (outputFile != null) {
      usage.check(
          outputFile.toString().endsWith(".xlsx"), "--outputFile", outputFile, "a name in .xlsx");
      outputCell(usage);
    }
  }

  private static void checkAddress(String option, String address, Usage usage) {
    boolean known = false;
    try {
      InetAddress local = InetAddress.getByName(address);
      known =
          local.isAnyLocalAddress()
              || local.isLoopbackAddress()
              || NetworkInterface.getByInetAddress(local) != null;
    } catch (IOException e) {
      // Refused below.
    }
    usage.check(known, option, address, ANY_INTERFACE + " or an address of this machine");
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
