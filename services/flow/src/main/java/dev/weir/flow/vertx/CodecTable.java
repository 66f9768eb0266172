package dev.weir.flow.vertx;

import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.impl.CodecManager;

/** A table of message codecs as every event bus has one: those of Vert.x, and registered ones. */
public final class CodecTable {
  private final CodecManager codecs = new CodecManager();

  public CodecTable() {
    // What the local bus carried may come back from this node's own disk.
    codecs.clusterSerializableCheck(className -> true);
  }

  /**
   * @throws IllegalStateException if the class or the name is registered
   */
  public <T> void register(Class<T> type, MessageCodec<T, ?> codec) {
    codecs.registerDefaultCodec(type, codec);
  }

  public void unregister(Class<?> type) {
    codecs.unregisterDefaultCodec(type);
  }

  /**
   * The codec for a body, by name if that is not null.
   *
   * @throws IllegalArgumentException if none is registered for its class, or of that name
   */
  @SuppressWarnings("unchecked")
  public MessageCodec<Object, Object> find(Object body, String name) {
    return (MessageCodec<Object, Object>) codecs.lookupCodec(body, name, true);
  }

  /** The codec of that id, or of that name if the id is negative; null if there is none. */
  public MessageCodec<?, ?> find(byte systemId, String name) {
    return systemId >= 0 ? codecs.systemCodecs()[systemId] : codecs.getCodec(name);
  }
}
