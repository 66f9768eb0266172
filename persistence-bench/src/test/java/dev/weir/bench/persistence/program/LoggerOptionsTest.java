package dev.weir.bench.persistence.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.persistence.PersistenceBench;
import dev.weir.bench.persistence.Program;
import dev.weir.bench.persistence.store.Flush;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LoggerOptionsTest {
  private static final String[] COMMON_SHORT = {
    "-c", "5", "-t", "0", "-r", "10", "-i", "2", "-z", "true", "-a", "65536", "-b", "4096", "-f",
    "true", "-y", "true", "-d", "true", "-q", "16", "-j", "1"
  };
  private static final String[] COMMON_LONG = {
    "--count",
    "5",
    "--warmupTime",
    "0",
    "--rate",
    "10",
    "--initialLogLength",
    "2",
    "--zeroOutInitial",
    "true",
    "--writeBufferSize",
    "65536",
    "--readBufferSize",
    "4096",
    "--flushOnCommit",
    "true",
    "--syncOnCommit",
    "true",
    "--detached",
    "true",
    "--queueDepth",
    "16",
    "--affinity",
    "1"
  };

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void takesEveryCommonNameOfTheSeed(boolean shortNames) {
    MessageLogger program = new MessageLogger();

    new CommandLine(program).parseArgs(shortNames ? COMMON_SHORT : COMMON_LONG);

    LoggerOptions options = program.options;
    assertThat(options.count).isEqualTo(5);
    assertThat(options.warmupTime).isZero();
    assertThat(options.rate).isEqualTo(10);
    assertThat(options.initialLogLength).isEqualTo(2);
    assertThat(options.zeroOutInitial.on()).isTrue();
    assertThat(options.writeBufferSize).isEqualTo(65_536);
    assertThat(options.readBufferSize).isEqualTo(4_096);
    assertThat(options.flushOnCommit.on()).isTrue();
    assertThat(options.syncOnCommit.on()).isTrue();
    assertThat(options.detached.on()).isTrue();
    assertThat(options.queueDepth).isEqualTo(16);
    assertThat(options.affinity).hasToString("[0]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "message-logger -k ./logs -c 1000000 -r -1 -f false -y false",
        "packet-logger -l ./logs -c 1000000 -r -1 -f false -y false",
        "store-logger -c 1000000 -r -1 -f false -y false"
      })
  void takesTheCommandLinesOfTheSeed(String line) {
    CommandLine commandLine = new CommandLine(new PersistenceBench());
    LoggerProgram.all().forEach((n, p) -> commandLine.addSubcommand(n, new CommandLine(p)));

    LoggerProgram program =
        (LoggerProgram)
            commandLine.parseArgs(line.split(" ")).subcommand().commandSpec().userObject();

    assertThat(program.options.count).isEqualTo(1_000_000);
    assertThat(program.options.rate).isEqualTo(-1);
    assertThat(program.options.flush()).isEqualTo(Flush.NONE);
  }

  @Test
  void takesTheLongNamesWhoseShortOnesAreTaken() {
    PacketLogger program = new PacketLogger();

    new CommandLine(program).parseArgs("--noLatencyWrites", "--printIntervalStats", "--tail");

    assertThat(program.options.noLatencyWrites.on()).isTrue();
    assertThat(program.options.printIntervalStats.on()).isTrue();
    assertThat(program.tail.on()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"-k,-m,-n", "--logLocation,--logMode,--numPerCommit"})
  void takesTheNamesOfMessageLogger(String location, String mode, String perCommit) {
    MessageLogger program = new MessageLogger();

    new CommandLine(program).parseArgs(location, "logs", mode, "rwd", perCommit, "7");

    assertThat(program.options.logLocation).hasToString("logs");
    assertThat(program.commits.logMode).isEqualTo("rwd");
    assertThat(program.commits.numPerCommit).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({"-l,-v,-e", "--logLocation,--populateStorePacketMetadata,--readUsingMappedMemory"})
  void takesTheNamesOfPacketLogger(String location, String metadata, String mapped) {
    PacketLogger program = new PacketLogger();

    new CommandLine(program).parseArgs(location, "logs", metadata, "true", mapped, "false");

    assertThat(program.options.logLocation).hasToString("logs");
    assertThat(program.populateStorePacketMetadata.on()).isTrue();
    assertThat(program.readUsingMappedMemory.on()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-o,-n,-k", "--logMode,--numPerCommit,--lazyDeserialize"})
  void takesTheNamesOfStoreLogger(String mode, String perCommit, String lazy) {
    StoreLogger program = new StoreLogger();

    new CommandLine(program).parseArgs(mode, "rws", perCommit, "7", lazy, "false");

    assertThat(program.commits.logMode).isEqualTo("rws");
    assertThat(program.commits.numPerCommit).isEqualTo(7);
    assertThat(program.lazyDeserialize.on()).isFalse();
  }

  @Test
  void hasTheDefaultsOfTheSeed() {
    MessageLogger program = new MessageLogger();

    new CommandLine(program).parseArgs();

    LoggerOptions options = program.options;
    assertThat(options.warmupTime).isEqualTo(2);
    assertThat(options.rate).isEqualTo(-1);
    assertThat(options.initialLogLength).isEqualTo(1);
    assertThat(options.writeBufferSize).isEqualTo(8_192);
    assertThat(options.readBufferSize).isEqualTo(8_192);
    assertThat(options.queueDepth).isEqualTo(1_024);
    assertThat(options.flush()).isEqualTo(Flush.NONE);
    assertThat(options.detached.on()).isFalse();
    assertThat(options.affinity.isAny()).isTrue();
    assertThat(program.commits.logMode).isEqualTo("rw");
    assertThat(program.commits.numPerCommit).isEqualTo(1);
  }

  @Test
  void takesABooleanWithoutValueAsTrue() {
    MessageLogger program = new MessageLogger();

    new CommandLine(program).parseArgs("-f", "-d", "-c", "3");

    assertThat(program.options.flush()).isEqualTo(Flush.OS);
    assertThat(program.options.detached.on()).isTrue();
    assertThat(program.options.count).isEqualTo(3);
  }

  @Test
  void syncGoesBeforeFlush() {
    MessageLogger program = new MessageLogger();

    new CommandLine(program).parseArgs("-f", "true", "-y", "true");

    assertThat(program.options.flush()).isEqualTo(Flush.DISK);
  }

  @ParameterizedTest
  @CsvSource({
    "message-logger,--count,0",
    "message-logger,--count,many",
    "message-logger,--warmupTime,-1",
    "message-logger,--rate,0",
    "message-logger,--initialLogLength,-1",
    "message-logger,--flushOnCommit,maybe",
    "message-logger,--writeBufferSize,1",
    "message-logger,--readBufferSize,1",
    "message-logger,--queueDepth,0",
    "message-logger,--affinity,0",
    "message-logger,--affinity,first",
    "message-logger,--messageBytes,8",
    "message-logger,--logMode,r",
    "message-logger,--numPerCommit,0",
    "packet-logger,--messagesPerPacket,0",
    "packet-logger,--tail,sometimes",
    "store-logger,--objects,0",
    "store-logger,--logMode,w",
    "store-logger,--lazyDeserialize,2"
  })
  void refusesABadValueInOneLineThatNamesIt(String name, String option, String value) {
    Program program = Program.run(name, option, value);

    assertThat(program.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.err()).contains(option, value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"message-logger", "packet-logger", "store-logger"})
  void saysInTheHelpWhatBecomesOfCollidingNames(String name) {
    Program program = Program.run(name, "--help");

    assertThat(program.exitCode()).isZero();
    assertThat(program.out().replaceAll("\\s+", " "))
        .contains("The seed's -a stands for --writeBufferSize here")
        .contains("The seed's -b stands for --readBufferSize here")
        .contains("O_DSYNC", "COMMIT_WRITE_NO_SYNC", "COMMIT_NO_SYNC");
  }
}
