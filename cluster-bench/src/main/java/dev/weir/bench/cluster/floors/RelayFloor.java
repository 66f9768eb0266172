package dev.weir.bench.cluster.floors;

import dev.weir.bench.Measurement;
import dev.weir.bench.Preheat;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.injection.EchoMessages;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.OpenLoop;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.Directories;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The floor of a client outside of a group: the way of a message from the client to a primary, its
 * backup and back, written to a file on both, without Weir.
 */
public final class RelayFloor {
  private static final int HEAP_MIB = 64;
  private static final int PREHEAT_PASSES = 10;

  private RelayFloor() {}

  /**
   * Measures response times at a rate, from the intended time. Its processes and files are gone
   * afterwards.
   *
   * @param count messages of a round
   */
  public static Row measure(RunContext context, long count, int ratePerSec) throws Exception {
    Path directory = context.outputDir().resolve("data-relay");
    Files.createDirectories(directory);
    List<String> flags = ChildFlags.of(HEAP_MIB);
    Recording recording = Recording.concurrent();
    Load load = Load.of(count).inOrder().recordingInto(recording);
    Measurement measurement;
    try (ChildJvm backup = start(flags, List.of(directory.resolve("backup").toString()));
        ChildJvm primary =
            start(
                flags,
                List.of(
                    directory.resolve("primary").toString(),
                    Integer.toString(TcpFloor.address(backup).getPort())));
        BlockingTcp client =
            new BlockingTcp(TcpFloor.address(primary), new EchoMessages(FloorsScenario.BYTES))) {
      Rounds.Round round = () -> new OpenLoop(client, load, ratePerSec).run();
      new Preheat(PREHEAT_PASSES).run("relay preheat", context.progress(), round::run);
      measurement = context.headlineRounds().recording(recording).measure("relay", round);
    } finally {
      Directories.delete(directory);
    }
    return context
        .row(measurement)
        .caseName("relay")
        .path("tcp blocking")
        .payloadBytes(FloorsScenario.BYTES)
        .flush("os")
        .extra("processes", 3)
        .extra("childFlags", flags);
  }

  private static ChildJvm start(List<String> flags, List<String> arguments) throws IOException {
    return ChildJvm.start(flags, RelayMain.class, arguments);
  }
}
