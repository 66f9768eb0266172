package dev.weir.queue.je;

import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.PacketKey;

/** The tables of a queue. Each is a database of the JE environment, named by prefix and queue. */
public enum Table {
  /** {@link PacketKey} to packet. */
  PACKETS("queue.", PacketKey.BYTES, true),
  /** First sequence of a packet to the progress bytes of its messages. */
  PROGRESS("progress.", Long.BYTES, false),
  /** {@link DeferredKey} to message: scheduled messages and those blocked by their key. */
  DEFERRED("side.", DeferredKey.BYTES, true),
  /** {@link DeadKey} to dead letter. */
  DEAD("dead.", DeadKey.BYTES, true),
  /** First sequence of a packet to the message ids in it. */
  IDS("ids.", Long.BYTES, false);

  private final String prefix;
  private final int keyBytes;
  private final boolean holdsMessages;

  Table(String prefix, int keyBytes, boolean holdsMessages) {
    this.prefix = prefix;
    this.keyBytes = keyBytes;
    this.holdsMessages = holdsMessages;
  }

  String nameFor(String queue) {
    return prefix + queue;
  }

  /** The queue that a database of this table belongs to, or null if it is of another table. */
  String queueOf(String database) {
    return database.startsWith(prefix) ? database.substring(prefix.length()) : null;
  }

  /** The table of a database, or null for the database with the store's own records. */
  static Table of(String database) {
    for (Table table : values()) {
      if (database.startsWith(table.prefix)) {
        return table;
      }
    }
    return null;
  }

  /** Length of a key. */
  int keyBytes() {
    return keyBytes;
  }

  /** Whether a lost record is a loss of messages; without the others messages repeat. */
  boolean holdsMessages() {
    return holdsMessages;
  }
}
