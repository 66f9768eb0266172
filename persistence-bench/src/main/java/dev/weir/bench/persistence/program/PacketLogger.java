package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@value #NAME}. */
@Command(
    description =
        "Persists packets: a record holds many messages and a CRC32C, and is one commit. With"
            + " --rate a packet is written as soon as no further message is due.",
    sortOptions = false)
public final class PacketLogger extends LoggerProgram {
  public static final String NAME = "packet-logger";

  @Option(
      names = {"-l", "--logLocation"},
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Directory of the log and of the latencies; default ${DEFAULT-VALUE}.")
  Path logLocation;

  @Option(
      names = {"-v", "--populateStorePacketMetadata"},
      description =
          "Each message of a packet carries the time it was written (8 bytes), the nearest there is"
              + " to the seed's store metadata.")
  Flag populateStorePacketMetadata = Flag.OFF;

  @Option(
      names = {"-e", "--readUsingMappedMemory"},
      description =
          "Accepted without effect: JE reads its files, it does not map them; the pages come from"
              + " the same cache of the operating system. Default ${DEFAULT-VALUE}.")
  Flag readUsingMappedMemory = Flag.ON;

  @Option(
      names = "--tail",
      description =
          "A second thread reads what is written, while it is written. The seed's -t stands for"
              + " --warmupTime here, which all programs have.")
  Flag tail = Flag.OFF;

  @Option(
      names = "--messagesPerPacket",
      paramLabel = "N",
      defaultValue = "64",
      description = "Messages of a packet at most; default ${DEFAULT-VALUE}. Not in the seed.")
  int messagesPerPacket;

  @Override
  void check(Usage usage) {
    usage.range("--messagesPerPacket", messagesPerPacket, 1, 65_536);
    long packetBytes = (long) messagesPerPacket * (options.messageBytes + 12L);
    usage.check(
        packetBytes <= 256 << 20,
        "--messagesPerPacket",
        messagesPerPacket,
        "what makes packets of 256 MiB at most");
  }

  @Override
  Path logLocation() {
    return logLocation;
  }

  @Override
  LoggerPlan plan() {
    return new LoggerPlan(
        Shape.PACKET,
        messagesPerPacket,
        1,
        true,
        false,
        populateStorePacketMetadata.on(),
        tail.on(),
        false);
  }
}
