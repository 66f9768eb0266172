package dev.weir.bench.cluster.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.Program;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorStarter;
import dev.weir.bench.cluster.program.ProcessorProgram;
import dev.weir.bench.cluster.threads.PlannedThread;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.processor.Encoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    assertThat(options.rumi.count).isEqualTo(5);
    assertThat(options.rumi.rate).isEqualTo(7);
    assertThat(options.rumi.warmupTime).isEqualTo(1);
    assertThat(options.rumi.emptyMessage.on()).isTrue();
    assertThat(options.rumi.noLatencyWrites.on()).isTrue();
    assertThat(options.rumi.printIntervalStats.on()).isTrue();
    assertThat(options.rumi.outputFile).hasToString("out.xlsx");
    assertThat(options.rumi.outputCell).isEqualTo("2-3");
    assertThat(options.rumi.outputThroughput.on()).isTrue();
    assertThat(options.rumi.injectorCPUAffinityMask).hasToString("[0]");
    assertThat(options.rumi.muxCPUAffinityMask).hasToString("[0]");
    assertThat(options.rumi.busDetachedSendCPUAffinityMask).hasToString("[0]");
    assertThat(options.rumi.busDetachedSend.on()).isTrue();
    assertThat(options.rumi.busDetachedSendQueueDepth).isEqualTo(9);
    assertThat(options.rumi.enablePersistence.on()).isTrue();
    assertThat(options.rumi.persisterLogLocation).hasToString("logs");
    assertThat(options.rumi.persisterInitialLogLength).isEqualTo(3);
    assertThat(options.rumi.persisterZeroOutInitial.on()).isTrue();
    assertThat(options.rumi.persisterWriteBufferSize).isEqualTo(4_096);
    assertThat(options.rumi.persisterFlushOnCommit.on()).isTrue();
    assertThat(options.rumi.persisterFlushUsingMappedMemory.on()).isTrue();
    assertThat(options.rumi.persisterDetached.on()).isTrue();
    assertThat(options.rumi.persisterWriterCPUAffinityMask).hasToString("[0]");
    assertThat(options.rumi.enableClustering.on()).isTrue();
    assertThat(options.rumi.clusteringLocalIfAddr).isEqualTo("127.0.0.1");
    assertThat(options.rumi.clusteringDiscoveryLocalIfAddr).isEqualTo("127.0.0.1");
    assertThat(options.rumi.clusteringLinkSpinRead.on()).isTrue();
    assertThat(options.rumi.clusteringLinkReaderCPUAffinityMask).hasToString("[0]");
    assertThat(options.rumi.clusteringDetachedSend.on()).isTrue();
    assertThat(options.rumi.clusteringDetachedSenderCPUAffinityMask).hasToString("[0]");
    assertThat(options.rumi.clusteringDetachedDispatch.on()).isTrue();
    assertThat(options.rumi.clusteringDetachedDispatcherCPUAffinityMask).hasToString("[0]");
  }

  @Test
  void hasTheDefaultsOfTheOriginal() {
    ProcessorOptions options = parse();

    ProcessorSetup setup = options.setup(Kind.ES, usage());
    assertThat(options.rumi.encoding).isEqualTo(Encoding.PROTOBUF_SERIAL);
    assertThat(options.rumi.count).isEqualTo(10_000_000);
    assertThat(options.rumi.rate).isEqualTo(100_000);
    assertThat(options.rumi.warmupTime).isEqualTo(2);
    assertThat(options.rumi.emptyMessage.on()).isFalse();
    assertThat(options.rumi.noLatencyWrites.on()).isFalse();
    assertThat(options.rumi.printIntervalStats.on()).isFalse();
    assertThat(options.rumi.outputFile).isNull();
    assertThat(options.rumi.outputCell).isNull();
    assertThat(options.rumi.outputThroughput.on()).isFalse();
    assertThat(options.rumi.injectorCPUAffinityMask.isAny()).isTrue();
    assertThat(options.rumi.busDetachedSendQueueDepth).isEqualTo(1_024);
    assertThat(options.rumi.enablePersistence.on()).isFalse();
    assertThat(options.rumi.persisterLogLocation).hasToString(".");
    assertThat(options.rumi.persisterInitialLogLength).isEqualTo(1);
    assertThat(options.rumi.persisterWriteBufferSize).isEqualTo(8_192);
    assertThat(options.rumi.persisterFlushOnCommit.on()).isFalse();
    assertThat(setup.isClustered()).isFalse();
    assertThat(options.rumi.clusteringLocalIfAddr).isEqualTo("0.0.0.0");
    assertThat(options.rumi.clusteringDiscoveryLocalIfAddr).isEqualTo("0.0.0.0");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 127.0.0.1, 127.0.0.1",
    "-I 192.0.2.1, 192.0.2.1, 192.0.2.1",
    "-U 192.0.2.2, 192.0.2.2, 192.0.2.2",
    "-I 192.0.2.1 -U 192.0.2.2, 192.0.2.2, 192.0.2.1"
  })
  void theMemberListensOnTheInterfacesThatAreGiven(String line, String host, String replication) {
    RumiOptions given = line.isEmpty() ? parse().rumi : parse(line.split(" ")).rumi;

    assertThat(given.host()).isEqualTo(host);
    assertThat(given.replicationHost()).isEqualTo(replication);
  }

  @Test
  void bothInterfacesReachTheMember() {
    NodeOptions node = setup("-v", "-I", "127.0.0.2", "-U", "127.0.0.3").node();

    assertThat(node.getHost()).isEqualTo("127.0.0.3");
    assertThat(node.getReplicationHost()).isEqualTo("127.0.0.2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--clusteringLocalIfAddr", "--clusteringDiscoveryLocalIfAddr"})
  void refusesAnInterfaceWithoutAnyoneToReach(String option) {
    Program program = Program.run("es-processor", option, "127.0.0.1");

    assertThat(program.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(program.err()).contains(option + " is 127.0.0.1", "without --enableClustering");
  }

  @Test
  void takesABooleanWithAValue() {
    ProcessorOptions options =
        parse(
            "--clusteringLinkSpinRead=false",
            "--busDetachedSend=false",
            "--persisterDetached=true",
            "--clusteringDetachedSend");

    assertThat(options.rumi.clusteringLinkSpinRead.on()).isFalse();
    assertThat(options.rumi.busDetachedSend.on()).isFalse();
    assertThat(options.rumi.persisterDetached.on()).isTrue();
    assertThat(options.rumi.clusteringDetachedSend.on()).isTrue();
  }

  @Test
  void whatIsGivenItselfGoesBeforeTheCpuConfiguration() {
    ProcessorSetup preset = setup("-v", "-e", "--cpu-config", "maxcpu");
    ProcessorSetup given = setup("-v", "-e", "--cpu-config", "maxcpu", "--persisterDetached=false");

    assertThat(preset.threads().primary().has(Task.PERSISTER)).isTrue();
    assertThat(given.threads().primary().has(Task.PERSISTER)).isFalse();
  }

  @Test
  void throughputIsAnotherConfigurationThanLatency() {
    GroupOptions latency = setup("--optimize-for", "latency").group();
    GroupOptions throughput = setup("--optimize-for", "throughput").group();

    assertThat(setup().group().toMap()).isEqualTo(latency.toMap());
    assertThat(latency.getMaxBatches()).isGreaterThan(throughput.getMaxBatches());
    assertThat(latency.getBatchBytes()).isLessThan(throughput.getBatchBytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"latency", "throughput"})
  void savesMemoryWhereThatIsAsked(String aim) {
    GroupOptions usual = setup("--optimize-for", aim).group();
    GroupOptions saving = setup("--optimize-for", aim, "--optimize-memory").group();

    assertThat(saving.getBatchBytes()).isLessThan(usual.getBatchBytes());
    assertThat(saving.getReplyWindow()).isLessThan(usual.getReplyWindow());
    assertThat(bytesOfBatches(saving)).isLessThan(bytesOfBatches(usual) / 4);
  }

  private static long bytesOfBatches(GroupOptions group) {
    return (long) group.getBatchBytes() * group.getMaxBatches();
  }

  @ParameterizedTest
  @CsvSource({
    "nv.optimizefor, throughput, --optimize-for throughput",
    "nv.optimizeMemoryUsage, true, --optimize-memory",
    "nv.conservecpu, true, --blocking"
  })
  void aSystemPropertyOfTheOriginalIsAnOption(String property, String value, String option) {
    String line = "-v -e --cpu-config maxcpu";
    ProcessorSetup unset = setup(line.split(" "));
    ProcessorSetup byOption = setup((line + " " + option).split(" "));
    System.setProperty(property, value);
    try {
      ProcessorSetup byProperty = setup(line.split(" "));

      assertThat(byProperty.group().toMap()).isEqualTo(byOption.group().toMap());
      assertThat(byProperty.threads()).isEqualTo(byOption.threads());
      assertThat(List.of(byProperty.group().toMap(), byProperty.threads()))
          .isNotEqualTo(List.of(unset.group().toMap(), unset.threads()));
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void conservingCpuLeavesNoThreadThatSpins() {
    ProcessorSetup setup = setup("-v", "-e", "--cpu-config", "maxcpu", "--blocking");

    assertThat(setup.threads().primary().threads()).noneMatch(PlannedThread::spins);
  }

  @ParameterizedTest
  @CsvSource({
    "nv.optimizefor, speed, --optimize-for (nv.optimizefor) is speed",
    "nv.conservecpu, maybe, --blocking",
    "nv.optimizeMemoryUsage, maybe, --optimize-memory"
  })
  void refusesABadSystemPropertyInOneLine(String property, String value, String message) {
    System.setProperty(property, value);
    try {
      Program program = Program.run("es-processor");

      assertThat(program.exitCode()).isEqualTo(ExitCodes.USAGE);
      assertThat(program.err().lines()).hasSize(1);
      assertThat(program.err()).contains(message, value);
    } finally {
      System.clearProperty(property);
    }
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
    "--optimize-for,memory",
    "--optimize-memory,maybe",
    "--window,3"
  })
  void refusesABadValueInOneLineThatNamesIt(String option, String value) {
    Program program = Program.run("es-processor", option, value);

    assertThat(program.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.err()).contains(option, value);
  }

  @Test
  void takesOptionsFromAFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("latency.options");
    Files.write(file, List.of("# of a run", "--count 5 --rate 7", "--window 3"));

    Program program = Program.run("es-processor", "@" + file);

    assertThat(program.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(program.err()).contains("--window is 3");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--persisterInitialLogLength=10",
        "--persisterZeroOutInitial",
        "--persisterWriteBufferSize=4096",
        "--persisterFlushUsingMappedMemory"
      })
  void warnsOfAnOptionThatHasNoEffect(String option) {
    assertThat(setup("--blocking").threads().warnings())
        .noneMatch(line -> line.contains("no effect"));
    assertThat(setup("--blocking", option).threads().warnings())
        .contains(option.split("=")[0] + " has no effect on a log of JE; --help says why");
  }

  @Test
  void warnsOfCpusForAThreadThatIsNotThere() {
    assertThat(setup("--blocking", "-x", "[0]").threads().warnings())
        .contains("there is no thread persister: the CPUs given for it are not used");
    assertThat(setup("--blocking", "-e", "-d", "-x", "[0]").threads().warnings())
        .noneMatch(line -> line.contains("persister"));
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
        .contains("--with-backup", "--transport", "--ack-level", "--cpu-config", "-Dnv.optimizefor")
        .contains("-Dnv.optimizeMemoryUsage", "-Dnv.conservecpu");
  }
}
