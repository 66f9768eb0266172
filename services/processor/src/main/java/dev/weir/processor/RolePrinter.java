package dev.weir.processor;

import dev.weir.cluster.ReplySink;
import dev.weir.cluster.Role;
import java.io.PrintWriter;
import java.nio.ByteBuffer;

/** Prints a line when a member's role in a group changes, and forwards replies. */
final class RolePrinter implements ReplySink {
  private final String name;
  private final String group;
  private final ReplySink replies;
  private final PrintWriter out;

  RolePrinter(String name, String group, ReplySink replies, PrintWriter out) {
    this.name = name;
    this.group = group;
    this.replies = replies;
    this.out = out;
  }

  @Override
  public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    replies.onReply(clientId, sequence, buffer, offset, length);
  }

  @Override
  public void onRejected(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
    replies.onRejected(clientId, sequence, buffer, offset, length);
  }

  @Override
  public void onRole(Role role, long epoch) {
    out.printf(
        "%s %s: %s, epoch %d%n",
        name, group, role.name().toLowerCase(java.util.Locale.ROOT), epoch);
    out.flush();
    replies.onRole(role, epoch);
  }
}
