package dev.weir.flow;

import io.vertx.core.eventbus.MessageCodec;

/**
 * A codec that tells how much of the heap a body holds, for the limit of {@link
 * ServiceOptions#setMemoryBytes}. An {@link ImmutableCodec} tells it already.
 *
 * <p>Without it a body that waits in memory is encoded to learn its size. If the codec is for the
 * local bus alone, and so does not encode, the body's fields are followed: to all objects that they
 * lead to, but not into objects of the JDK that are no collections, nor of Vert.x and Netty. Then
 * write such a codec for a body that refers to large objects which it shares with others, or whose
 * class is in a module that does not open its package. Such a body is taken for too large to wait
 * in memory: a message with it is handled if a worker is free, and refused otherwise.
 *
 * @param <S> the class that is sent
 * @param <R> the class that is received
 */
public interface SizedCodec<S, R> extends MessageCodec<S, R> {

  /**
   * The bytes of the heap that are free when nobody refers to the body any more; an estimate. On
   * the service's event loop, for each message that does not start at once; not blocking.
   *
   * @param body not null
   */
  long heapBytes(R body);
}
