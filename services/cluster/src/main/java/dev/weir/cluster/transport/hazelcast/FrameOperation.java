package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;

/**
 * A message from one end of a link to the other, as an operation of Hazelcast. It belongs to no
 * partition, so that migrations do not delay it. It has no response: answers are messages too.
 */
final class FrameOperation extends Operation
    implements IdentifiedDataSerializable, AllowedDuringPassiveState {

  enum Kind {
    /** A greeting: the sender is not connected. */
    HELLO,
    /** The answer to a greeting: the sender is connected. */
    WELCOME,
    /** A frame of the group. */
    FRAME,
    /** Only a report of the bytes that the sender has handled; every message has one. */
    HANDLED,
    /** The sender closes the link. */
    BYE;

    /** Whether messages of this kind carry the sender's options, which must be the same. */
    boolean isGreeting() {
      return this == HELLO || this == WELCOME;
    }
  }

  static final int FACTORY_ID = 0x57454952;
  static final int CLASS_ID = 1;

  /** Approximate bytes of a message besides its frame. */
  static final int OVERHEAD_BYTES = 128;

  private static final Kind[] KINDS = Kind.values();

  private final HazelcastWire wire;
  private Kind kind;
  private String group;
  private String from;
  private LinkSession session;
  private LinkSession known;
  private long sequence;
  private long handledBytes;
  private byte[] bytes;

  /** Creates an empty message, to be read from the network. */
  FrameOperation(HazelcastWire wire) {
    this.wire = wire;
  }

  /**
   * @param session session of the sender
   * @param known session of the receiver as far as the sender knows it
   * @param handledBytes bytes of the receiver's session that the sender has handled
   */
  FrameOperation(
      Kind kind,
      String group,
      String from,
      LinkSession session,
      LinkSession known,
      long handledBytes) {
    this.wire = null;
    this.kind = kind;
    this.group = group;
    this.from = from;
    this.session = session;
    this.known = known;
    this.handledBytes = handledBytes;
  }

  /**
   * Sets the content.
   *
   * @param sequence number of a frame, from 0 on in each session
   * @param bytes a frame, or the options of a greeting
   */
  FrameOperation with(long sequence, byte[] bytes) {
    this.sequence = sequence;
    this.bytes = bytes;
    return this;
  }

  Kind kind() {
    return kind;
  }

  String group() {
    return group;
  }

  String from() {
    return from;
  }

  LinkSession session() {
    return session;
  }

  LinkSession known() {
    return known;
  }

  long sequence() {
    return sequence;
  }

  long handledBytes() {
    return handledBytes;
  }

  /** The frame, or the options of a greeting; else null. */
  byte[] bytes() {
    return bytes;
  }

  @Override
  public void run() {
    wire.receive(this);
  }

  @Override
  public boolean returnsResponse() {
    return false;
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return CLASS_ID;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    out.writeByte(kind.ordinal());
    out.writeString(group);
    out.writeString(from);
    write(session, out);
    write(known, out);
    out.writeLong(sequence);
    out.writeLong(handledBytes);
    out.writeByteArray(bytes);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    kind = KINDS[in.readByte()];
    group = in.readString();
    from = in.readString();
    session = new LinkSession(in.readLong(), in.readLong());
    known = new LinkSession(in.readLong(), in.readLong());
    sequence = in.readLong();
    handledBytes = in.readLong();
    bytes = in.readByteArray();
  }

  private static void write(LinkSession session, ObjectDataOutput out) throws IOException {
    out.writeLong(session.incarnation());
    out.writeLong(session.number());
  }
}
