package dev.weir.bench.cluster.floors;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Map;

/** An operation that replaces the value of an entry, on the owner and on the backup. */
final class StoreBytes
    implements EntryProcessor<Integer, byte[], Integer>, IdentifiedDataSerializable {
  static final int FACTORY_ID = 71;

  private static final long serialVersionUID = 1;

  private byte[] bytes;

  /** For the serializer. */
  StoreBytes() {}

  StoreBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public Integer process(Map.Entry<Integer, byte[]> entry) {
    entry.setValue(bytes);
    return bytes.length;
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return 1;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeByteArray(bytes);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    bytes = in.readByteArray();
  }
}
