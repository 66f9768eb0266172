package dev.weir.echo;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An echo program whose heap is eaten up once a file exists. The eater catches the error and keeps
 * what it has, so nobody but the program itself can notice.
 */
final class HungryEcho {
  private static final int BITE_BYTES = 16 << 10;
  private static final long LOOK_MS = 10;

  private HungryEcho() {}

  /** The first argument is the file, the others are those of the program. */
  public static void main(String[] args) {
    Path signal = Path.of(args[0]);
    Thread eater = new Thread(() -> eat(signal), "eater");
    eater.setDaemon(true);
    eater.start();
    EchoMain.main(List.of(args).subList(1, args.length).toArray(String[]::new));
  }

  private static void eat(Path signal) {
    List<byte[]> eaten = new ArrayList<>(1 << 20);
    while (true) {
      try {
        if (Files.exists(signal)) {
          eaten.add(new byte[BITE_BYTES]);
        } else {
          Thread.sleep(LOOK_MS);
        }
      } catch (OutOfMemoryError e) {
        Thread.onSpinWait();
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
