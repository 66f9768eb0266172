package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;

/**
 * What one end of a link says to the other, as an operation of Hazelcast. It belongs to no
 * partition, so migrations do not concern it, and has no answer of its own: answers are frames.
 */
final class FrameOperation extends Operation
    implements IdentifiedDataSerializable, AllowedDuringPassiveState {

  enum Kind {
    /** I am not connected. */
    HELLO,
    /** I am connected with you. */
    WELCOME,
    FRAME,
    /** So much has been handled. */
    HANDLED,
    /** I close. */
    BYE
  }

  static final int FACTORY_ID = 0x57454952;
  static final int CLASS_ID = 1;

  /** About what it takes besides the frame. */
  static final int OVERHEAD_BYTES = 128;

  private static final Kind[] KINDS = Kind.values();

  private final HazelcastWire wire;
  private Kind kind;
  private String group;
  private String from;
  private Session session;
  private Session known;
  private long sequence;
  private long handledBytes;
  private byte[] bytes;

  /** To be read into. */
  FrameOperation(HazelcastWire wire) {
    this.wire = wire;
  }

  /**
   * @param session of the sender
   * @param known the receiver's session as far as the sender knows
   * @param handledBytes of what the receiver has sent in its session
   */
  FrameOperation(
      Kind kind, String group, String from, Session session, Session known, long handledBytes) {
    this.wire = null;
    this.kind = kind;
    this.group = group;
    this.from = from;
    this.session = session;
    this.known = known;
    this.handledBytes = handledBytes;
  }

  /**
   * Adds what a kind carries.
   *
   * @param sequence of a frame, from 0 on in each session
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

  Session session() {
    return session;
  }

  Session known() {
    return known;
  }

  long sequence() {
    return sequence;
  }

  long handledBytes() {
    return handledBytes;
  }

  /** The frame, or null. */
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
    session = new Session(in.readLong(), in.readLong());
    known = new Session(in.readLong(), in.readLong());
    sequence = in.readLong();
    handledBytes = in.readLong();
    bytes = in.readByteArray();
  }

  private static void write(Session session, ObjectDataOutput out) throws IOException {
    out.writeLong(session.incarnation());
    out.writeLong(session.number());
  }
}
