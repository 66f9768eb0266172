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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
   * @param process messages per round with durability PROCESS, and appended to a plain file
   * @param machine messages per round with durability MACHINE, and appended in packets
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
   * @param messages in flight, or of one write of a floor
   * @param floor what it is compared with; null for a floor
   */
  private record Way(
      String caseName, String path, int messages, Rounds.Round round, FileAppendFloor.Mode floor) {}

  @Override
  public About about() {
    return About.headline(
        NAME,
        "One-way messages are accepted durably, while their service handles and"
            + " acknowledges messages on the same event loop. Each accepted message is handled"
            + " exactly once, in order. PROCESS: handed to the operating system. MACHINE:"
            + " forced to the device, many messages at a time. The floors append the same"
            + " bodies to one file: a write for each message, a write and a force for each"
            + " message, a write for each packet, a write and a force for each packet; each message"
            + " is an array of its own. A packet that is written is as large as a packet of the"
            + " service. A packet that is forced has as many messages as one force of the service"
            + " had on average in rounds before, by Flight Recorder. xFloor: median of PROCESS"
            + " over packet-append, of MACHINE over packet-append-fsync. xAppend: of PROCESS over"
            + " file-append, a write for each message; the quick profile has no such floor. Each"
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
    try (ServiceFixture fixture = ServiceFixture.open(context)) {
      List<FileAppendFloor.Mode> floorModes =
          context.profile().pick(FLOORS.subList(2, FLOORS.size()), FLOORS);
      Way process = sendWay(context, fixture, size, Durability.PROCESS);
      Way machine = sendWay(context, fixture, size, Durability.MACHINE);
      context.preheat(
          PREHEAT_PASSES,
          () -> {
            process.round.run();
            machine.round.run();
          });
      int perForce = ForceCount.messagesPerForce(machine.round, count(context, size.machine));
      List<Way> ways = new ArrayList<>();
      for (FileAppendFloor.Mode mode : floorModes) {
        ways.add(fileWay(context, fixture, size, mode, perForce));
      }
      ways.add(process);
      ways.add(machine);
      context.preheat(
          PREHEAT_PASSES,
          () -> {
            for (Way floor : ways.subList(0, floorModes.size())) {
              floor.round.run();
            }
          });
      Rounds rounds = context.headlineRounds().resting(REST);
      ways.forEach(way -> rounds.add(way.round));
      List<Measurement> measured = rounds.measure(NAME + " " + size.bytes + " bytes");
      Map<FileAppendFloor.Mode, Row> floors = new EnumMap<>(FileAppendFloor.Mode.class);
      for (int i = 0; i < ways.size(); i++) {
        Way way = ways.get(i);
        Row row =
            context
                .row(measured.get(i))
                .caseName(way.caseName)
                .path(way.path)
                .payloadBytes(size.bytes);
        if (way.floor == null) {
          floors.put(floorModes.get(i), row);
          row.extra("durability", floorModes.get(i).durability())
              .extra("check", FileAppendFloor.CHECK)
              // No part of its identity: a packet that is forced differs from JVM to JVM.
              .extra("messagesPerWrite", way.messages)
              .extra("transport", "none: one thread writes a file")
              .extra("processes", 1);
        } else {
          describe(ServiceFixture.describe(row), way)
              .inFlight(way.messages)
              .over(floors.get(way.floor), "xFloor");
        }
        int append = floorModes.indexOf(FileAppendFloor.Mode.APPEND);
        if (way == process && append >= 0) {
          row.ratio("xAppend", measured.get(i).opsPerSec().over(measured.get(append).opsPerSec()));
        }
        context.report(row);
      }
    }
  }

  private static Row describe(Row row, Way way) {
    return row.workers(RequestPath.WORKERS)
        .body(Bodies.Kind.BUFFER.toString())
        .extra("durability", way.caseName)
        .extra("handler", "consumes and acknowledges at once, while messages are sent");
  }

  private static long count(RunContext context, long quick) {
    return context.scaled(quick, FULL_FACTOR * quick);
  }

  private static Way fileWay(
      RunContext context,
      ServiceFixture fixture,
      Size size,
      FileAppendFloor.Mode mode,
      int perForce) {
    long quick =
        switch (mode) {
          case FSYNC -> size.synced;
          case PACKET_FSYNC -> size.machine;
          default -> size.process;
        };
    long operations = count(context, quick);
    FileAppendFloor workload =
        new FileAppendFloor(
            fixture.directory(),
            mode,
            size.bytes,
            mode == FileAppendFloor.Mode.PACKET_FSYNC
                ? perForce
                : Math.max(1, QueueStoreOptions.DEFAULT_PACKET_BYTES / size.bytes));
    return new Way(
        FLOOR,
        mode.toString(),
        workload.messagesPerWrite(),
        () -> workload.round(operations),
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
        inFlight,
        () -> workload.closedRound(operations, inFlight),
        machine ? FileAppendFloor.Mode.PACKET_FSYNC : FileAppendFloor.Mode.PACKET);
  }
}
