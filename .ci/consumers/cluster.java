import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.ProcessorGroup;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

public class Main implements EventSourcedProcessor {
  private long count;

  @Override
  public void onMessage(Inbound message, Outbound out) {
    count++;
    out.claim(Long.BYTES).putLong(out.offset(), count);
    out.commit(Long.BYTES);
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeLong(count);
  }

  @Override
  public void restore(DataInput in) throws IOException {
    count = in == null ? 0 : in.readLong();
  }

  public static void main(String[] args) throws Exception {
    CompletableFuture<Long> reply = new CompletableFuture<>();
    NodeOptions options =
        new NodeOptions().setMemberName("a").setDirectory(Path.of(args[0])).setPort(15790);
    try (ClusterNode node = ClusterNode.start(options)) {
      ProcessorGroup group =
          node.group(new GroupOptions().setName("orders").setMembers(List.of("a")))
              .processor(new Main())
              .replies(
                  (client, sequence, buffer, offset, length) ->
                      reply.complete(buffer.getLong(offset)))
              .start();
      ByteBuffer body = ByteBuffer.allocate(8);
      while (group.offer(1, 1, body, 0, 8) == OfferResult.NOT_PRIMARY) {
        Thread.onSpinWait();
      }
      group.flush();
      System.out.println(reply.get() == 1 ? "ok" : "the reply is " + reply.get());
    }
  }
}
