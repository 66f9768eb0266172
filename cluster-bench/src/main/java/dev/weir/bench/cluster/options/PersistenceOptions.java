package dev.weir.bench.cluster.options;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The seed's options for the transaction log. */
public final class PersistenceOptions {
  @Option(
      names = {"-e", "--enablePersistence"},
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "Keeps a transaction log on disk.")
  public Flag enablePersistence;

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
          "Accepted without effect: JE appends to files as it needs them and never preallocates;"
              + " default ${DEFAULT-VALUE}.")
  public double persisterInitialLogLength;

  @Option(
      names = {"-z", "--persisterZeroOutInitial"},
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "Accepted without effect: nothing is preallocated, so nothing is zeroed.")
  public Flag persisterZeroOutInitial;

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
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description =
          "Hands every batch to the operating system before it counts as held: the same as"
              + " --ack-level persisted. Not forced to the device, as the seed's is not; for that,"
              + " --ack-level flushed.")
  public Flag persisterFlushOnCommit;

  @Option(
      names = {"-m", "--persisterFlushUsingMappedMemory"},
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "Accepted without effect: JE writes to files, it does not map them.")
  public Flag persisterFlushUsingMappedMemory;

  @Option(
      names = {"-d", "--persisterDetached"},
      arity = "0..1",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "Writes the log on a thread of its own; default: as --cpu-config says.")
  public Flag persisterDetached;

  @Option(
      names = {"-x", "--persisterWriterCPUAffinityMask"},
      paramLabel = "MASK",
      description =
          "CPUs for the detached persister, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public String persisterWriterCPUAffinityMask;

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
    CpuMask.parse("--persisterWriterCPUAffinityMask", persisterWriterCPUAffinityMask, usage);
  }
}
