package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@code packet-logger}. */
@Command(
    description =
        "Persists packets: a record holds many messages and a CRC32C, and is one commit. With"
            + " --rate a packet is written as soon as no further message is due.")
public final class PacketLogger extends LoggerProgram {
  private static final long MAX_PACKET_BYTES = 256 << 20;

  @Option(
      names = {"-v", "--populateStorePacketMetadata"},
      description =
          "Each message of a packet carries the time it was written (8 bytes), the nearest there is"
              + " to the seed's store metadata.")
  Flag populateStorePacketMetadata = Flag.OFF;

  @Option(
      names = {"-e", "--readUsingMappedMemory"},
      description =
          "Has no effect: JE reads its files, it does not map them; the pages come from the same"
              + " cache of the operating system. Default: ${DEFAULT-VALUE}.")
  Flag readUsingMappedMemory = Flag.ON;

  @Option(
      names = "--tail",
      description =
          "A second thread reads what is written, while it is written. The seed's -t stands for"
              + " --warmupTime here, which all programs have.")
  Flag tail = Flag.OFF;

  @Option(
      names = "--messagesPerPacket",
      defaultValue = "64",
      description = "Messages of a packet at most. Not in the seed.")
  int messagesPerPacket;

  @Override
  public Map<String, String> shortNames() {
    return Map.of("--logLocation", "-l");
  }

  @Override
  void check(Usage usage) {
    usage.range("--messagesPerPacket", messagesPerPacket, 1, 65_536);
    usage.check(
        messagesPerPacket * (options.messageBytes + 12L) <= MAX_PACKET_BYTES,
        "--messagesPerPacket",
        messagesPerPacket,
        "what makes packets of 256 MiB at most");
  }

  @Override
  LogSpec log() {
    return log(Shape.PACKET, messagesPerPacket, 1, false, populateStorePacketMetadata.on());
  }

  @Override
  boolean commitsEarly() {
    return true;
  }

  @Override
  boolean tails() {
    return tail.on();
  }
}
