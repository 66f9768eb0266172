package dev.weir.cluster.replica;

import dev.weir.cluster.protocol.MemberChange;
import dev.weir.cluster.protocol.Membership;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Who waits for a change of the members that this primary makes. Under the group's lock; what waits
 * for a future runs elsewhere.
 */
final class MemberChanges {
  private MemberChange change;
  private CompletableFuture<List<String>> waiting;

  /** A change has begun, or is made already. */
  CompletableFuture<List<String>> begin(MemberChange begun, Membership now) {
    end("another change of the members has taken its place");
    CompletableFuture<List<String>> future = new CompletableFuture<>();
    change = begun;
    waiting = future;
    made(now);
    return future;
  }

  /** The members have changed. */
  void made(Membership now) {
    if (waiting != null && change.isMade(now)) {
      List<String> members = now.list();
      waiting.completeAsync(() -> members);
      waiting = null;
    }
  }

  /** This replica is not primary any more. */
  void lost() {
    end("this member is not primary any more; the next primary knows whether the change was made");
  }

  private void end(String why) {
    if (waiting != null) {
      CompletableFuture<List<String>> failing = waiting;
      waiting = null;
      failing.completeAsync(
          () -> {
            throw new IllegalStateException(why);
          });
    }
  }
}
