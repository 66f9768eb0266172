package dev.weir.flow.vertx;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.internal.buffer.BufferInternal;

/** A buffer whose copy has the same bytes, not copies of them. */
final class GivenBuffer extends BufferImpl {
  GivenBuffer(Buffer bytes) {
    super(((BufferInternal) bytes).getByteBuf());
  }

  @Override
  public BufferImpl copy() {
    return new BufferImpl(getByteBuf());
  }
}
