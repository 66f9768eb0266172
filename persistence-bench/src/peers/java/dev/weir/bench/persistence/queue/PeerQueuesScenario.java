package dev.weir.bench.persistence.queue;

import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures weir-queue beside other durable queues, in the same rounds. Found as a service. */
public final class PeerQueuesScenario implements Scenario {
  private static final String NAME = "peer-queues";
  private static final String WEIR = "weir-queue";
  private static final String ARTEMIS = "artemis";
  private static final String ARTEMIS_PAGING = "artemis-paging";
  private static final int WARM_UPS = 2;
  private static final int QUICK_ROUNDS = 3;
  private static final int FULL_ROUNDS = 8;

  /** One size of body, and messages of a pass. */
  private record Size(int bytes, int inFlight, long messages) {}

  private static final List<Size> SIZES =
      List.of(new Size(256, 10_000, 100_000), new Size(10_000, 1_000, 10_000));

  /**
   * A queue that is measured.
   *
   * @param passes how often a round fills and empties it, so that each round takes about a second
   */
  private record Contender(String path, Flush flush, int passes) {
    String durability() {
      return (path.equals(WEIR)
              ? ""
              : "journal " + (flush == Flush.DISK ? "synced: " : "written: "))
          + flush.meaning();
    }
  }

  private static final List<Contender> CONTENDERS =
      List.of(
          new Contender(WEIR, Flush.OS, 4),
          new Contender(ARTEMIS, Flush.OS, 1),
          new Contender(ARTEMIS_PAGING, Flush.OS, 1),
          new Contender(WEIR, Flush.DISK, 4),
          new Contender(ARTEMIS, Flush.DISK, 1),
          new Contender(ARTEMIS_PAGING, Flush.DISK, 1));

  /** For the service loader. */
  public PeerQueuesScenario() {}

  @Override
  public About about() {
    return About.of(
        NAME,
        "weir-queue beside an Apache ActiveMQ Artemis broker in the same JVM, with an in-VM"
            + " connection and a NIO journal. append: so many messages are sent, with inFlight"
            + " not yet accepted at most. drain: the same messages are taken, checked and"
            + " acknowledged. One thread does one after the other, and no message is sent while"
            + " messages are taken. Each message must come back once, intact, and in order"
            + " except where Artemis pages. weir-queue reads all messages from its files"
            + " (writeThrough). artemis holds all messages in memory, too; artemis-paging holds "
            + (ArtemisPeer.PAGING_MEMORY_BYTES >> 20)
            + " MiB of them and keeps the others in page files. flush os: an accepted message was"
            + " written to the operating system. flush disk: it was forced to the device. Each"
            + " contender takes its turn in every round. xWeir: over weir-queue with the same flush,"
            + " round by round.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    for (Size size : SIZES) {
      try (DataDirectory data = context.dataDirectory()) {
        new Run(context, size, data.path()).run();
      }
    }
  }

  /** All contenders with one size of body. */
  private static final class Run {
    private final RunContext context;
    private final Size size;
    private final Path directory;
    private final long messages;
    private final int rounds;
    private final List<PeerQueue> queues = new ArrayList<>();

    Run(RunContext context, Size size, Path directory) {
      this.context = context;
      this.size = size;
      this.directory = directory;
      this.messages = context.scaled(size.messages);
      this.rounds = context.profile().pick(QUICK_ROUNDS, FULL_ROUNDS);
    }

    void run() throws Exception {
      try {
        Rounds all = new Rounds(rounds, context.progress()).warmUps(WARM_UPS);
        for (Contender contender : CONTENDERS) {
          PeerQueue queue = open(contender, queues.size());
          queues.add(queue);
          Turn turn = new Turn(queue, contender.passes);
          all.add(turn::append).add(() -> turn.drained);
        }
        report(all.measure(NAME + " " + size.bytes + " bytes"));
      } finally {
        for (PeerQueue queue : queues) {
          queue.close();
        }
      }
    }

    private PeerQueue open(Contender contender, int id) throws Exception {
      Path own = Files.createDirectory(directory.resolve(Integer.toString(id)));
      long total = (WARM_UPS + rounds) * contender.passes * messages;
      Payload payload = new Payload(QueueFixture.SEED, size.bytes);
      if (contender.path.equals(WEIR)) {
        Durability durability =
            contender.flush == Flush.DISK ? Durability.MACHINE : Durability.PROCESS;
        return new WeirPeer(QueueFixture.open(own, total, payload, size.inFlight), durability);
      }
      boolean paging = contender.path.equals(ARTEMIS_PAGING);
      return new ArtemisPeer(own, id, contender.flush, paging, total, payload, size.inFlight);
    }

    private void report(List<Measurement> measured) throws Exception {
      for (int work = 0; work < 2; work++) {
        for (int i = 0; i < CONTENDERS.size(); i++) {
          Contender contender = CONTENDERS.get(i);
          Verdict verdict = queues.get(i).verdict();
          int weir = i - i % (CONTENDERS.size() / 2);
          Measurement own = measured.get(2 * i + work);
          Measurement ofWeir = measured.get(2 * weir + work);
          Row row =
              context
                  .row(own)
                  .caseName(work == 0 ? "append" : "drain")
                  .path(contender.path)
                  .flush(contender.flush.toString())
                  .backlog(messages)
                  .payloadBytes(size.bytes)
                  .inFlight(size.inFlight)
                  .ratio("xWeir", own.opsPerSec().over(ofWeir.opsPerSec()))
                  .extra("durability", contender.durability())
                  .extra(
                      "semantics",
                      contender.path.equals(ARTEMIS_PAGING)
                          ? "at least once, acknowledged; order is not checked"
                          : "at least once, in order, acknowledged")
                  .extra("processes", 1)
                  .and(verdict);
          context.report(row);
        }
      }
    }

    /** The rounds of one contender. */
    private final class Turn {
      private final PeerQueue queue;
      private final int passes;
      private RoundResult drained;

      Turn(PeerQueue queue, int passes) {
        this.queue = queue;
        this.passes = passes;
      }

      /** Fills and empties the queue; what emptying took is the result of the next case. */
      RoundResult append() throws Exception {
        long appendNs = 0;
        long drainNs = 0;
        for (int i = 0; i < passes; i++) {
          appendNs += queue.append(messages);
          drainNs += queue.drain(messages);
        }
        Tally all = Tally.complete(passes * messages);
        drained = RoundResult.closedLoop(all, drainNs);
        return RoundResult.closedLoop(all, appendNs);
      }
    }
  }
}
