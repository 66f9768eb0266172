package dev.weir.bench.cluster.options;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options for the transaction log, named as in the original benchmark. */
public final class PersistenceOptions {
  @Option(
      names = {"-e", "--enablePersistence"},
      description = "Keeps a transaction log on disk.")
  public Flag enablePersistence = Flag.OFF;

  @Option(
      names = {"-k", "--persisterLogLocation"},
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Directory of the log and of the latencies; default ${DEFAULT-VALUE}.")
  public Path persisterLogLocation;

  @Option(
      names = {"-i", "--persisterInitialLogLength"},
      paramLabel = "GB",
      defaultValue = "1",
      description =
          "Has no effect: JE appends to files as it needs them and never preallocates; default"
              + " ${DEFAULT-VALUE}.")
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
          "Each of JE's log buffers (je.log.bufferSize); default ${DEFAULT-VALUE}, or what a batch"
              + " needs to be one write.")
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
      description = "Writes the log on a thread of its own; default: as --cpu-config says.")
  public Flag persisterDetached;

  @Option(
      names = {"-x", "--persisterWriterCPUAffinityMask"},
      description =
          "CPUs for the detached persister, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public CpuMask persisterWriterCPUAffinityMask = CpuMask.ANY;

  void check(Usage usage) {
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
  }
}
