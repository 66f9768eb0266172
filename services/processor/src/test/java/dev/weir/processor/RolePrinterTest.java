package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ReplySink;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RolePrinterTest implements ReplySink {
  private final List<String> received = new ArrayList<>();

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    received.add("reply " + sequence + " of " + length + " bytes");
  }

  @Override
  public void onRejected(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    received.add("rejected " + sequence + " for " + length + " bytes");
  }

  @Test
  void aRejectionReachesTheClientAsOneAndNotAsAnEmptyReply() {
    ByteBuffer reason = ByteBuffer.allocate(6);
    RolePrinter printer =
        new RolePrinter("a", "cars", this, new PrintWriter(new StringWriter(), true));

    printer.onReply(7, 1, reason, 0, 2);
    printer.onRejected(7, 2, reason, 0, 6);

    assertThat(received).containsExactly("reply 1 of 2 bytes", "rejected 2 for 6 bytes");
  }
}
