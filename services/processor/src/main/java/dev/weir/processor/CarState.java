package dev.weir.processor;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What a processor remembers of the cars it has handled. */
final class CarState {
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private long handled;
  private long refused;
  private long checksum;
  private long lastSerialNumber;

  /** Counts a car, whose place in the order of all cars shows in the checksum. */
  long handle(long serialNumber, long digest) {
    checksum = (checksum ^ serialNumber ^ digest) * FACTOR;
    lastSerialNumber = serialNumber;
    return ++handled;
  }

  void refuse() {
    refused++;
  }

  long handled() {
    return handled;
  }

  long refused() {
    return refused;
  }

  long checksum() {
    return checksum;
  }

  long lastSerialNumber() {
    return lastSerialNumber;
  }

  void save(DataOutput out) throws IOException {
    out.writeLong(handled);
    out.writeLong(refused);
    out.writeLong(checksum);
    out.writeLong(lastSerialNumber);
  }

  void restore(DataInput in) throws IOException {
    handled = in == null ? 0 : in.readLong();
    refused = in == null ? 0 : in.readLong();
    checksum = in == null ? 0 : in.readLong();
    lastSerialNumber = in == null ? 0 : in.readLong();
  }
}
