package dev.weir.bench.eventbus.durable;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.FileAppendFloor;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.SendWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.report.Row;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueStoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The cost of accepting a message durably, beside the same bytes written to plain files. */
public final class DurableSendScenario implements Scenario {
  static final String NAME = "durable-send";

  /** A setting that names the one payload size that is measured. */
  private static final String BYTES = NAME + ".bytes";

  private static final String FLOOR = "floor";
  private static final String WEIR_SEND = "weir-send";

  private static final Duration REST = Duration.ofMillis(50);

  /**
   * The counts of one size of body.
   *
   * @param process messages per round with durability PROCESS, and written to a plain file
   * @param machine messages per round with durability MACHINE, and written in packets and forced
   * @param synced messages per round that are forced to disk one by one
   */
  private record Size(int bytes, int inFlight, long process, long machine, long synced) {}

  private static final List<Size> SIZES =
      List.of(
          new Size(256, 10_000, 100_000, 50_000, 500),
          new Size(1_000, 5_000, 50_000, 25_000, 400),
          new Size(10_000, 1_000, 10_000, 5_000, 300),
          new Size(100_000, 200, 2_000, 1_000, 200));

  private static final int FULL_FACTOR = 2;

  private static final int PREHEAT_PASSES = 10;

  /** The floors, in the order of their rows; the quick profile has the last two. */
  private static final List<FileAppendFloor.Mode> FLOORS =
      List.of(
          FileAppendFloor.Mode.FSYNC,
          FileAppendFloor.Mode.APPEND,
          FileAppendFloor.Mode.PACKET,
          FileAppendFloor.Mode.PACKET_FSYNC);

  /**
   * One way to the disk.
   *
   * @param describe completes the row
   * @param floor what it is compared with; null for a floor
   */
  private record Way(
      String caseName,
      String path,
      Rounds.Round round,
      Consumer<Row> describe,
      FileAppendFloor.Mode floor) {}

  @Override
  public About about() {
    return About.headline(
        NAME,
        "One-way messages are accepted durably, while their service handles and"
            + " acknowledges messages on the same event loop. Each accepted message is handled"
            + " exactly once, in order. PROCESS: handed to the operating system. MACHINE:"
            + " forced to the device, many messages at a time. The floors write the same"
            + " bodies to one file, again and again over the same place, so that the file system"
            + " has nothing to allocate: a write for each message, a write and a force for each"
            + " message, a write for each packet, and writes of packets that a second thread"
            + " forces, with as many messages in flight as the service has. A packet is as"
            + " large as one of the service. The floors make no copies of a body. A send has its round right after that of its floor. xFloor: median"
            + " of PROCESS over packet-append, of MACHINE over packet-append-fsync. xAppend: of"
            + " PROCESS over file-append, a write for each message; the quick profile has no such"
            + " floor. a force, a commit: messages of one on average, warm-ups included. Each"
            + " round follows "
            + REST.toMillis()
            + " ms of rest, which do not count. "
            + BYTES
            + " chooses one payload size.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    String chosen = context.option(BYTES, SIZES.stream().map(Size::bytes).toList()).orElse(null);
    // Page one has the first size.
    List<Size> first = SIZES.subList(0, 1);
    List<Size> usual = context.isFirstJvm() ? context.profile().pick(first, SIZES) : first;
    for (Size size : chosen == null ? usual : SIZES) {
      if (chosen == null || chosen.equals(Integer.toString(size.bytes))) {
        measure(context, size);
      }
    }
  }

  private static void measure(RunContext context, Size size) throws Exception {
    List<FileAppendFloor> floors = new ArrayList<>();
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      List<Way> ways = new ArrayList<>();
      List<FileAppendFloor.Mode> modes =
          context.profile().pick(FLOORS.subList(2, FLOORS.size()), FLOORS);
      for (FileAppendFloor.Mode mode : modes) {
        int packet = Math.max(1, QueueStoreOptions.DEFAULT_PACKET_BYTES / size.bytes);
        FileAppendFloor floor =
            new FileAppendFloor(fixture.directory(), mode, size.bytes, packet, size.inFlight);
        floors.add(floor);
        ways.add(fileWay(context, size, mode, floor));
        // A send is measured right behind its floor, so that both find the disk alike.
        if (mode == FileAppendFloor.Mode.PACKET) {
          ways.add(sendWay(context, fixture, size, Durability.PROCESS));
        } else if (mode == FileAppendFloor.Mode.PACKET_FSYNC) {
          ways.add(sendWay(context, fixture, size, Durability.MACHINE));
        }
      }
      context.preheat(
          PREHEAT_PASSES,
          () -> {
            for (Way way : ways) {
              way.round.run();
            }
          });
      Rounds rounds = context.headlineRounds().resting(REST);
      ways.forEach(way -> rounds.add(way.round));
      report(context, size, ways, rounds.measure(NAME + " " + size.bytes + " bytes"));
    } finally {
      for (FileAppendFloor floor : floors) {
        floor.close();
      }
    }
  }

  private static void report(
      RunContext context, Size size, List<Way> ways, List<Measurement> measured) {
    Map<String, Row> floors = new HashMap<>();
    for (int i = 0; i < ways.size(); i++) {
      Way way = ways.get(i);
      Row row =
          context
              .row(measured.get(i))
              .caseName(way.caseName)
              .path(way.path)
              .payloadBytes(size.bytes);
      way.describe.accept(row);
      if (way.floor == null) {
        floors.put(way.path, row);
      } else {
        row.over(floors.get(way.floor.toString()), "xFloor");
      }
      Row append = floors.get(FileAppendFloor.Mode.APPEND.toString());
      if (way.floor == FileAppendFloor.Mode.PACKET && append != null) {
        row.ratio("xAppend", measured.get(i).opsPerSec().over(append.opsPerSec()));
      }
      context.report(row);
    }
  }

  private static long count(RunContext context, long quick) {
    return context.scaled(quick, FULL_FACTOR * quick);
  }

  private static Way fileWay(
      RunContext context, Size size, FileAppendFloor.Mode mode, FileAppendFloor floor) {
    long quick =
        switch (mode) {
          case FSYNC -> size.synced;
          case PACKET_FSYNC -> size.machine;
          default -> size.process;
        };
    long operations = count(context, quick);
    boolean isForced = mode.durability().equals(Durability.MACHINE.name());
    return new Way(
        FLOOR,
        mode.toString(),
        () -> floor.round(operations),
        row ->
            row.extra("durability", mode.durability())
                .extra("check", FileAppendFloor.CHECK)
                .extra("messagesPerWrite", floor.messagesPerWrite())
                .column("a force", isForced ? floor.messagesPerForce() : null)
                .extra("transport", "none: a file")
                .extra("processes", 1),
        null);
  }

  private static Way sendWay(
      RunContext context, ServiceFixture fixture, Size size, Durability durability)
      throws InterruptedException {
    boolean machine = durability == Durability.MACHINE;
    long operations = count(context, machine ? size.machine : size.process);
    int inFlight = ClosedLoop.inFlight(size.inFlight, operations);
    SendWorkload workload =
        new SendWorkload(
            fixture, "send-" + durability, Bodies.Kind.BUFFER.bodies(size.bytes), durability);
    return new Way(
        durability.name(),
        WEIR_SEND,
        () -> workload.closedRound(operations, inFlight),
        row ->
            ServiceFixture.describe(row)
                .workers(RequestPath.WORKERS)
                .inFlight(inFlight)
                .body(Bodies.Kind.BUFFER.toString())
                .extra("durability", durability.name())
                .column("a commit", workload.messagesPerCommit())
                .extra("handler", "consumes and acknowledges at once, while messages are sent"),
        machine ? FileAppendFloor.Mode.PACKET_FSYNC : FileAppendFloor.Mode.PACKET);
  }
}
