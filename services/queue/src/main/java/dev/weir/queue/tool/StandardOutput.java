package dev.weir.queue.tool;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Standard output, which tells whether the program that read it has ended. */
final class StandardOutput extends PrintStream {
  private final Pipe pipe;

  StandardOutput() {
    this(new Pipe(new FileOutputStream(FileDescriptor.out)));
  }

  private StandardOutput(Pipe pipe) {
    super(new BufferedOutputStream(pipe), false, StandardCharsets.UTF_8);
    this.pipe = pipe;
  }

  /** True after a write that failed because nobody reads any more, as behind {@code head}. */
  boolean isReaderGone() {
    return pipe.broken;
  }

  private static final class Pipe extends FilterOutputStream {
    private volatile boolean broken;

    Pipe(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        broken |= String.valueOf(e.getMessage()).startsWith("Broken pipe");
        throw e;
      }
    }
  }
}
