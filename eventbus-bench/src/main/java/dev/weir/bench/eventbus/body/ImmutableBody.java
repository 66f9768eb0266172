package dev.weir.bench.eventbus.body;

/** A body that nobody can change: what {@link dev.weir.flow.ImmutableCodec} asks for. */
public final class ImmutableBody {
  /** Bytes besides the middle part. */
  static final int ENDS_BYTES = 16;

  private final long operation;
  private final byte[] middle;
  private final long tail;

  /** Keeps the array, which nobody may change afterwards; several bodies may share it. */
  ImmutableBody(long operation, byte[] middle, long tail) {
    this.operation = operation;
    this.middle = middle;
    this.tail = tail;
  }

  long operation() {
    return operation;
  }

  long tail() {
    return tail;
  }

  /** Not to be changed. */
  byte[] middle() {
    return middle;
  }

  int sizeBytes() {
    return ENDS_BYTES + middle.length;
  }
}
