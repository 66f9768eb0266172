package dev.weir.bench.eventbus.durable;

import dev.weir.bench.floor.AppendFile;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.MessageCheck;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Tally;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The floor below a durable send: one thread appends bodies to a plain file and reads them back.
 */
final class FileAppendFloor {
  /** Messages of a packet. */
  static final int PACKET_MESSAGES = 64;

  /** What a round checks. */
  static final String CHECK = "every body read back after the round: number, order, content";

  private static final String LOOP = "sequential";
  private static final int READ_BUFFER_BYTES = 1 << 20;
  private static final long SEED = 7;

  /** How messages get to the file. */
  enum Mode {
    APPEND("file-append", 1, false),
    FSYNC("file-append-fsync", 1, true),
    PACKET_FSYNC("packet-append-fsync", PACKET_MESSAGES, true);

    private final String label;
    private final int messagesPerWrite;
    private final boolean force;

    Mode(String label, int messagesPerWrite, boolean force) {
      this.label = label;
      this.messagesPerWrite = messagesPerWrite;
      this.force = force;
    }

    int messagesPerWrite() {
      return messagesPerWrite;
    }

    /** As for a send: what the message survives. */
    String durability() {
      return force ? "MACHINE" : "PROCESS";
    }

    @Override
    public String toString() {
      return label;
    }
  }

  private final Path file;
  private final Mode mode;
  private final Payload payload;

  FileAppendFloor(Path directory, Mode mode, int bytes) {
    this.file = directory.resolve(mode + ".floor");
    this.mode = mode;
    this.payload = new Payload(SEED, bytes);
  }

  /** Writes a new file, reads it back, and removes it. */
  RoundResult round(long operations) throws IOException {
    try {
      long elapsedNs = write(operations);
      return RoundResult.of(LOOP, readBack(operations), elapsedNs);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private long write(long operations) throws IOException {
    byte[] body = payload.create(0);
    try (AppendFile out = new AppendFile(file, mode.messagesPerWrite() * payload.sizeBytes())) {
      long startNs = System.nanoTime();
      for (long operation = 0; operation < operations; operation++) {
        payload.stamp(body, operation);
        out.append(body);
        if ((operation + 1) % mode.messagesPerWrite() == 0 || operation == operations - 1) {
          out.write();
          if (mode.force) {
            out.force();
          }
        }
      }
      return System.nanoTime() - startNs;
    }
  }

  private Tally readBack(long operations) throws IOException {
    MessageCheck check = new MessageCheck(payload, SequenceCheck.ordered(operations));
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), READ_BUFFER_BYTES)) {
      byte[] body = in.readNBytes(payload.sizeBytes());
      for (; body.length > 0; body = in.readNBytes(payload.sizeBytes())) {
        check.accept(body);
      }
    }
    return check.tally(operations);
  }
}
