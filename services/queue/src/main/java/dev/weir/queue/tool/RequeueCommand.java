package dev.weir.queue.tool;

import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.StoredMessage;
import java.io.IOException;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Puts dead letters back into their queue. */
@Command(
    name = "requeue",
    description = {
      "Puts dead letters back into their queue.",
      "The messages are delivered as soon as the queue is opened, with all their attempts again. A"
          + " dead letter that cannot be read stays. One of --sequence, --all, --id, --key,"
          + " --reason, --after and --before is required. The exit code is 1 if no dead letter has"
          + " the given sequence."
    })
final class RequeueCommand extends DirectoryCommand {
  @Spec private CommandSpec spec;

  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Option(
      names = "--sequence",
      paramLabel = "N",
      description = "The dead letter of this sequence, as dead-letters shows it.")
  private Long sequence;

  @Option(names = "--all", description = "All dead letters.")
  private boolean all;

  @Mixin private MessageFilter filter;

  @Option(
      names = "--to",
      paramLabel = "NAME",
      description = "Put them into this other queue, which exists.")
  private String to;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Let N of them a second be delivered, from now on; all at once by default.")
  private Double perSecond;

  @Override
  public Integer call() throws IOException {
    check();
    double rate = perSecond == null ? 0 : perSecond;
    Predicate<StoredMessage> which =
        filter.and(letter -> sequence == null || sequence == letter.sequence());
    long requeued;
    try (QueueMaintenance opened = QueueMaintenance.open(directory);
        ProgressLine progress = tool.progress("requeue")) {
      long dead = opened.summary(queue).dead();
      long[] done = {0};
      Predicate<StoredMessage> counted =
          letter -> {
            progress.messages(++done[0], dead);
            return which.test(letter);
          };
      requeued =
          to == null ? opened.requeue(queue, counted, rate) : opened.move(queue, counted, to, rate);
    }
    if (requeued == 0 && sequence != null) {
      tool.say("queue " + queue + " has no dead letter of sequence " + sequence);
      return ExitCodes.FOUND;
    }
    answer(
        "requeued "
            + requeued
            + " dead letters of queue "
            + queue
            + (to == null ? "" : " into queue " + to),
        "queue",
        queue,
        "requeued",
        requeued);
    return ExitCodes.OK;
  }

  private void check() {
    boolean chosen = sequence != null || !filter.isOpen();
    if (all == chosen) {
      throw new ParameterException(
          spec.commandLine(),
          all
              ? "--all and a choice of dead letters exclude each other"
              : "missing is --all, --sequence, --id, --key, --reason, --after or --before");
    }
    if (perSecond != null && !(perSecond > 0 && perSecond < Double.POSITIVE_INFINITY)) {
      throw new ParameterException(
          spec.commandLine(), "--rate is " + perSecond + ", allowed is a number above 0");
    }
  }
}
