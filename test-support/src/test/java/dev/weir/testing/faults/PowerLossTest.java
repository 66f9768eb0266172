package dev.weir.testing.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.faults.DiskJournal.Open;
import dev.weir.testing.faults.DiskJournal.Rename;
import dev.weir.testing.faults.DiskJournal.Sync;
import dev.weir.testing.faults.DiskJournal.Write;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLossTest {
  private final PowerLoss disk = new PowerLoss();

  @TempDir Path image;

  @Test
  void aReplacedFileIsWholeUnderItsNameThoughItsNumberIsUsedAgain() throws IOException {
    write(1, "format", "old");
    disk.apply(new Sync(1));
    write(2, "format.new", "new");
    disk.apply(new Sync(2));
    disk.apply(new Rename("format.new", "format"));
    write(1, "log", "a record");

    disk.image(image, 0, new Random(1));

    assertThat(image.resolve("format")).hasContent("old");
    assertThat(image.resolve("format.new")).hasContent("new");
    assertThat(image.resolve("log")).doesNotExist();
  }

  private void write(long inode, String path, String text) {
    disk.apply(new Open(inode, path, true));
    disk.apply(new Write(inode, 0, text.getBytes(StandardCharsets.UTF_8)));
  }
}
