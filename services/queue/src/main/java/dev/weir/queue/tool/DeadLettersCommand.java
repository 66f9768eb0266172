package dev.weir.queue.tool;

import dev.weir.queue.DamagedPacket;
import dev.weir.queue.MessageVisitor;
import dev.weir.queue.QueueDirectory;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.StoredMessage;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows or deletes the dead letters of a queue. */
@Command(
    name = "dead-letters",
    description = {
      "Shows or deletes the dead letters of a queue.",
      "Dead letters are shown as by peek, the oldest first, with the reason and the failed"
          + " attempts. With --purge and --yes all of them, or those that are chosen, are deleted."
          + " With --purge alone nothing is deleted: the command prints how many there are, and the"
          + " exit code is 2."
    })
final class DeadLettersCommand extends DirectoryCommand {
  @Option(names = "--queue", required = true, paramLabel = "NAME", description = "The queue.")
  private String queue;

  @Mixin private ShownMessages shown;

  @Option(names = "--purge", description = "Delete the dead letters.")
  private boolean purge;

  @Option(names = "--yes", description = "Confirm the deletion.")
  private boolean yes;

  @Override
  public Integer call() throws IOException {
    shown.check();
    if (purge && yes) {
      return purge();
    }
    try (QueueDirectory opened = QueueDirectory.open(directory)) {
      if (purge) {
        long dead = count(opened);
        tool.say(
            "--yes is missing: " + dead + " dead letters of queue " + queue + " would be deleted");
        return ExitCodes.USAGE;
      }
      return shown.show(visitor -> opened.readDead(queue, visitor), this);
    }
  }

  private long count(QueueDirectory opened) {
    if (shown.filter().isOpen()) {
      return opened.summary(queue).dead();
    }
    long[] count = {0};
    opened.readDead(
        queue,
        new MessageVisitor() {
          @Override
          public boolean message(StoredMessage message) {
            count[0] += shown.filter().test(message) ? 1 : 0;
            return true;
          }

          @Override
          public void damaged(DamagedPacket packet) {
            // Is not chosen by anything.
          }
        });
    return count[0];
  }

  private int purge() throws IOException {
    long deleted;
    try (QueueMaintenance opened = QueueMaintenance.open(directory)) {
      deleted =
          shown.filter().isOpen()
              ? opened.purgeDead(queue).dead()
              : opened.purgeDead(queue, shown.filter());
    }
    answer(
        "deleted " + deleted + " dead letters of queue " + queue,
        "queue",
        queue,
        "deletedDead",
        deleted);
    return ExitCodes.OK;
  }
}
