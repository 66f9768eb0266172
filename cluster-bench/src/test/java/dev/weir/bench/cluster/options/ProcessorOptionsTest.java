package dev.weir.bench.cluster.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.Program;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorStarter;
import dev.weir.bench.cluster.program.ProcessorProgram;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.AckLevel;
import dev.weir.processor.Encoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ProcessorOptionsTest {
  private static final String SHORT =
      "-l sbe.direct -c 5 -r 7 -t 1 -E -a -b -O out.xlsx -C 2-3 -T -j [0] -y [0] -o [0] -u -n 9 -e"
          + " -k logs -i 3 -z -w 4096 -f -m -d -x [0] -v -I 127.0.0.1 -U 127.0.0.1 -W -V [0] -S"
          + " -A [0] -D -B [0]";
  private static final String LONG =
      "--encoding sbe.direct --count 5 --rate 7 --warmupTime 1 --emptyMessage --noLatencyWrites"
          + " --printIntervalStats --outputFile out.xlsx --outputCell 2-3 --outputThroughput"
          + " --injectorCPUAffinityMask [0] --muxCPUAffinityMask [0]"
          + " --busDetachedSendCPUAffinityMask [0] --busDetachedSend"
          + " --busDetachedSendQueueDepth 9 --enablePersistence --persisterLogLocation logs"
          + " --persisterInitialLogLength 3 --persisterZeroOutInitial"
          + " --persisterWriteBufferSize 4096 --persisterFlushOnCommit"
          + " --persisterFlushUsingMappedMemory --persisterDetached"
          + " --persisterWriterCPUAffinityMask [0] --enableClustering"
          + " --clusteringLocalIfAddr 127.0.0.1 --clusteringDiscoveryLocalIfAddr 127.0.0.1"
          + " --clusteringLinkSpinRead --clusteringLinkReaderCPUAffinityMask [0]"
          + " --clusteringDetachedSend --clusteringDetachedSenderCPUAffinityMask [0]"
          + " --clusteringDetachedDispatch --clusteringDetachedDispatcherCPUAffinityMask [0]";

  private static ProcessorOptions parse(String... args) {
    ProcessorProgram program = new ProcessorProgram(Kind.ES, ProcessorStarter::open);
    new CommandLine(program).parseArgs(args);
    return program.options;
  }

  private static ProcessorSetup setup(String... args) {
    return parse(args).setup(Kind.ES, usage());
  }

  private static Usage usage() {
    return new Usage(new CommandLine(CommandLine.Model.CommandSpec.create()));
  }

  @ParameterizedTest
  @ValueSource(strings = {SHORT, LONG})
  void takesEveryNameOfTheOriginal(String line) {
    ProcessorOptions options = parse(line.split(" "));

    ProcessorSetup setup = options.setup(Kind.ES, usage());
    assertThat(setup.encoding()).isEqualTo(Encoding.SBE_DIRECT);
    assertThat(setup.logs()).hasToString("logs");
    assertThat(options.seed.count).isEqualTo(5);
    assertThat(options.seed.rate).isEqualTo(7);
    assertThat(options.seed.warmupTime).isEqualTo(1);
    assertThat(options.seed.emptyMessage.on()).isTrue();
    assertThat(options.seed.noLatencyWrites.on()).isTrue();
    assertThat(options.seed.printIntervalStats.on()).isTrue();
    assertThat(options.seed.outputFile).hasToString("out.xlsx");
    assertThat(options.seed.outputCell).isEqualTo("2-3");
    assertThat(options.seed.outputThroughput.on()).isTrue();
    assertThat(options.seed.injectorCPUAffinityMask).hasToString("[0]");
    assertThat(options.seed.muxCPUAffinityMask).hasToString("[0]");
    assertThat(options.seed.busDetachedSendCPUAffinityMask).hasToString("[0]");
    assertThat(options.seed.busDetachedSend.on()).isTrue();
    assertThat(options.seed.busDetachedSendQueueDepth).isEqualTo(9);
    assertThat(options.seed.enablePersistence.on()).isTrue();
    assertThat(options.seed.persisterLogLocation).hasToString("logs");
    assertThat(options.seed.persisterInitialLogLength).isEqualTo(3);
    assertThat(options.seed.persisterZeroOutInitial.on()).isTrue();
    assertThat(options.seed.persisterWriteBufferSize).isEqualTo(4_096);
    assertThat(options.seed.persisterFlushOnCommit.on()).isTrue();
    assertThat(options.seed.persisterFlushUsingMappedMemory.on()).isTrue();
    assertThat(options.seed.persisterDetached.on()).isTrue();
    assertThat(options.seed.persisterWriterCPUAffinityMask).hasToString("[0]");
    assertThat(options.seed.enableClustering.on()).isTrue();
    assertThat(options.seed.clusteringLocalIfAddr).isEqualTo("127.0.0.1");
    assertThat(options.seed.clusteringDiscoveryLocalIfAddr).isEqualTo("127.0.0.1");
    assertThat(options.seed.clusteringLinkSpinRead.on()).isTrue();
    assertThat(options.seed.clusteringLinkReaderCPUAffinityMask).hasToString("[0]");
    assertThat(options.seed.clusteringDetachedSend.on()).isTrue();
    assertThat(options.seed.clusteringDetachedSenderCPUAffinityMask).hasToString("[0]");
    assertThat(options.seed.clusteringDetachedDispatch.on()).isTrue();
    assertThat(options.seed.clusteringDetachedDispatcherCPUAffinityMask).hasToString("[0]");
  }

  @Test
  void hasTheDefaultsOfTheOriginal() {
    ProcessorOptions options = parse();

    ProcessorSetup setup = options.setup(Kind.ES, usage());
    assertThat(options.seed.encoding).isEqualTo(Encoding.PROTOBUF_SERIAL);
    assertThat(options.seed.count).isEqualTo(10_000_000);
    assertThat(options.seed.rate).isEqualTo(100_000);
    assertThat(options.seed.warmupTime).isEqualTo(2);
    assertThat(options.seed.emptyMessage.on()).isFalse();
    assertThat(options.seed.noLatencyWrites.on()).isFalse();
    assertThat(options.seed.printIntervalStats.on()).isFalse();
    assertThat(options.seed.outputFile).isNull();
    assertThat(options.seed.outputCell).isNull();
    assertThat(options.seed.outputThroughput.on()).isFalse();
    assertThat(options.seed.injectorCPUAffinityMask.isAny()).isTrue();
    assertThat(options.seed.busDetachedSendQueueDepth).isEqualTo(1_024);
    assertThat(options.seed.enablePersistence.on()).isFalse();
    assertThat(options.seed.persisterLogLocation).hasToString(".");
    assertThat(options.seed.persisterInitialLogLength).isEqualTo(1);
    assertThat(options.seed.persisterWriteBufferSize).isEqualTo(8_192);
    assertThat(options.seed.persisterFlushOnCommit.on()).isFalse();
    assertThat(setup.isClustered()).isFalse();
    assertThat(options.seed.clusteringLocalIfAddr).isEqualTo("0.0.0.0");
    assertThat(options.seed.clusteringDiscoveryLocalIfAddr).isEqualTo("0.0.0.0");
  }

  @Test
  void takesABooleanWithAValue() {
    ProcessorOptions options =
        parse(
            "--clusteringLinkSpinRead=false",
            "--busDetachedSend=false",
            "--persisterDetached=true",
            "--clusteringDetachedSend");

    assertThat(options.seed.clusteringLinkSpinRead.on()).isFalse();
    assertThat(options.seed.busDetachedSend.on()).isFalse();
    assertThat(options.seed.persisterDetached.on()).isTrue();
    assertThat(options.seed.clusteringDetachedSend.on()).isTrue();
  }

  @Test
  void whatIsGivenItselfGoesBeforeTheCpuConfiguration() {
    ProcessorSetup preset = setup("-v", "-e", "--cpu-config", "maxcpu");
    ProcessorSetup given = setup("-v", "-e", "--cpu-config", "maxcpu", "--persisterDetached=false");

    assertThat(preset.threads().primary().has(Task.PERSISTER)).isTrue();
    assertThat(given.threads().primary().has(Task.PERSISTER)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'', RECEIVED",
    "-e, RECEIVED",
    "-f, RECEIVED",
    "-e -f, PERSISTED",
    "-e --ack-level flushed, FLUSHED",
    "-e -f --ack-level received, RECEIVED"
  })
  void acknowledgesWhenTheLogIsFlushedAsAsked(String line, AckLevel level) {
    ProcessorSetup setup = line.isEmpty() ? setup() : setup(line.split(" "));

    assertThat(setup.group().getAckLevel()).isEqualTo(level);
  }

  @ParameterizedTest
  @CsvSource({
    "--encoding,json",
    "--encoding,xbuf2.serial",
    "--encoding,xbuf2.random",
    "--encoding,quark.serial",
    "--encoding,quark.random",
    "--count,0",
    "--count,many",
    "--rate,0",
    "--warmupTime,-1",
    "--emptyMessage,maybe",
    "--outputCell,2-3",
    "--outputFile,results.xlsx",
    "--injectorCPUAffinityMask,[4096]",
    "--muxCPUAffinityMask,first",
    "--busDetachedSendCPUAffinityMask,[]",
    "--busDetachedSendQueueDepth,0",
    "--persisterInitialLogLength,-1",
    "--persisterWriteBufferSize,1",
    "--persisterWriterCPUAffinityMask,[x]",
    "--clusteringLocalIfAddr,203.0.113.7",
    "--clusteringDiscoveryLocalIfAddr,not/an/address",
    "--clusteringLinkReaderCPUAffinityMask,0",
    "--clusteringDetachedSenderCPUAffinityMask,[4096]",
    "--clusteringDetachedDispatcherCPUAffinityMask,[4096]",
    "--transport,udp",
    "--ack-level,printed",
    "--ack-level,flushed",
    "--cpu-config,allcpu",
    "--window,3"
  })
  void refusesABadValueInOneLineThatNamesIt(String option, String value) {
    Program program = Program.run("es-processor", option, value);

    assertThat(program.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.err()).contains(option, value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0-1", "1-0", "1", "A1", "1-1-1", "9999999-1", "1-99999"})
  void refusesABadCell(String cell) {
    Program program = Program.run("es-processor", "-O", "results.xlsx", "-C", cell);

    assertThat(program.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(program.err()).contains("--outputCell is " + cell, "ROW-COL such as 2-3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"es-processor", "sr-processor"})
  void saysInTheHelpWhatHasNoEffectHere(String name) {
    Program program = Program.run(name, "--help");

    assertThat(program.exitCode()).isZero();
    assertThat(program.out().replaceAll("\\s+", " "))
        .contains("JE appends to files as it needs them and never preallocates")
        .contains("nothing is preallocated, so nothing is zeroed")
        .contains("JE writes to files, it does not map them")
        .contains("--with-backup", "--transport", "--ack-level", "--cpu-config", "-Doptimizefor");
  }
}
