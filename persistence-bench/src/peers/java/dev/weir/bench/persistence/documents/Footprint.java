package dev.weir.bench.persistence.documents;

import dev.weir.bench.program.Names;
import java.io.Closeable;
import java.util.Locale;

/** Documents of one system, which are created so that the heap they take can be measured. */
interface Footprint extends Closeable {
  /** Where the documents of a footprint are. */
  enum Place {
    /** In memory only, never on disk. */
    MEMORY,
    /** On disk, and in memory too. */
    RESIDENT,
    /** On disk only. */
    PAUSED;

    @Override
    public String toString() {
      return Names.of(this);
    }
  }

  /** Creates the documents with the numbers from one to the other, which is exclusive. */
  void create(int from, int to) throws Exception;

  /** Whether every document that has to leave the memory has left it. */
  boolean isSettled();

  /** How many of the documents are in the place. */
  long held();

  /** Reads the text of a document, by the number that it was created with. */
  String read(int number) throws Exception;

  /** The key of a document; all keys have the same length. */
  static String key(int number) {
    return String.format(Locale.ROOT, "car-%07d", number);
  }

  /**
   * The text of a document. Each has one of its own: a system that keeps the object would otherwise
   * hold the same text for all documents.
   */
  static String text(int number) {
    String key = key(number);
    return key + "x".repeat(LocalDocuments.JSON_BYTES - "{\"text\":\"\"}".length() - key.length());
  }
}
