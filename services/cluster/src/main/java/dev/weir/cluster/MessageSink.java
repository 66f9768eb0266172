package dev.weir.cluster;

import java.nio.ByteBuffer;

/** Takes messages for a processor group. A {@link ProcessorGroup} is one. */
public interface MessageSink {
  /** A copy of the options of the group; changes to it have no effect. */
  GroupOptions options();

  /**
   * Offers a message to the processor. Accepted messages gather until {@link #flush()}, or until a
   * batch is full. The reply comes through the {@link ReplySink}, maybe during the call.
   *
   * <p>A member that loses its role does not send the replies it still owes. Offer such a message
   * to the next primary with the same client id and sequence: it is handled once.
   *
   * @param clientId the sender; the sequences of one client belong together
   * @param sequence 1 for the first message of a client, then one more each
   * @param body read by absolute access only; not kept after the return
   * @param offset index of the message's first byte in {@code body}
   * @param length bytes of the message
   * @return what became of the message; never null
   */
  OfferResult offer(long clientId, long sequence, ByteBuffer body, int offset, int length);

  /**
   * Says that the replies to a client's messages before one have arrived, and that none of these is
   * offered again: if one is all the same, it is not handled, and its reply is forgotten. With the
   * next batch all replicas drop these replies. Otherwise they keep as many of each client as
   * {@link GroupOptions#getReplyWindow()} says. A reply that is still due must not be released: it
   * may not come then. Does nothing by default, and where this member is not primary.
   *
   * @param clientId the client
   * @param before the sequence of the first message of which the reply may still be needed
   */
  default void releaseReplies(long clientId, long before) {}

  /** Sends and stores the gathered messages, unless the maximum of batches is on the way. */
  void flush();
}
