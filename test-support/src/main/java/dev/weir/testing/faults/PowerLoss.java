package dev.weir.testing.faults;

import dev.weir.testing.faults.DiskJournal.Entry;
import dev.weir.testing.faults.DiskJournal.Mark;
import dev.weir.testing.faults.DiskJournal.Open;
import dev.weir.testing.faults.DiskJournal.Rename;
import dev.weir.testing.faults.DiskJournal.Sync;
import dev.weir.testing.faults.DiskJournal.SyncFailed;
import dev.weir.testing.faults.DiskJournal.Truncate;
import dev.weir.testing.faults.DiskJournal.Unlink;
import dev.weir.testing.faults.DiskJournal.Write;
import dev.weir.testing.faults.DiskJournal.WriteFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a device may hold after the power was cut at any moment of a {@link DiskJournal}. What was
 * synced is there. Of what was not, each block of 512 bytes may be there or not, in any
 * combination, and a file may be as long as its last block that is there, with zeros in the holes.
 * Names change in order, and a sync of any file makes all changes of names before it durable, as
 * ext4 and XFS do it.
 */
public final class PowerLoss {
  private static final int BLOCK_BYTES = 512;

  /** One file: what is on the device, and the changes that may be there. */
  private static final class Disk {
    byte[] durable = new byte[0];
    int length;
    final List<Entry> pending = new ArrayList<>();
  }

  /** A change of a name; {@code created} is the file that it names for the first time, or null. */
  private record NameChange(Entry entry, Disk created) {}

  /**
   * By inode. Names hold the file itself: the number of a file that is gone may be used again while
   * the device still has the file under its old name.
   */
  private final Map<Long, Disk> files = new HashMap<>();

  private final Map<String, Disk> durableNames = new HashMap<>();
  private final Map<String, Disk> names = new HashMap<>();
  private final List<NameChange> pendingNames = new ArrayList<>();

  /** Brings the device up to and including an entry. */
  public void apply(Entry entry) {
    if (entry instanceof Open open) {
      files.computeIfAbsent(open.inode(), ignored -> new Disk());
      if (open.created()) {
        files.put(open.inode(), new Disk());
      }
      if (open.created() || !names.containsKey(open.path())) {
        changeName(open);
      }
    } else if (entry instanceof Write write) {
      files.get(write.inode()).pending.add(write);
    } else if (entry instanceof Truncate truncate) {
      files.get(truncate.inode()).pending.add(truncate);
    } else if (entry instanceof Sync sync) {
      Disk disk = files.get(sync.inode());
      disk.pending.forEach(change -> applyTo(disk, change));
      disk.pending.clear();
      pendingNames.forEach(change -> rename(durableNames, change));
      pendingNames.clear();
    } else if (entry instanceof SyncFailed failed) {
      // Nothing of it reaches the device: the worst that may happen.
      files.get(failed.inode()).pending.removeIf(Write.class::isInstance);
    } else if (!(entry instanceof Mark || entry instanceof WriteFailed)) {
      changeName(entry);
    }
  }

  private void changeName(Entry entry) {
    Disk created = entry instanceof Open open ? files.get(open.inode()) : null;
    NameChange change = new NameChange(entry, created);
    rename(names, change);
    pendingNames.add(change);
  }

  private static void rename(Map<String, Disk> names, NameChange change) {
    if (change.entry instanceof Open open) {
      names.put(open.path(), change.created);
    } else if (change.entry instanceof Rename rename) {
      Disk file = names.remove(rename.from());
      if (file != null) {
        names.put(rename.to(), file);
      } else {
        renameAll(names, rename.from() + "/", rename.to() + "/");
      }
    } else if (change.entry instanceof Unlink unlink) {
      names.remove(unlink.path());
    }
  }

  /** Renames a directory. */
  private static void renameAll(Map<String, Disk> names, String from, String to) {
    for (String name : List.copyOf(names.keySet())) {
      if (name.startsWith(from)) {
        names.put(to + name.substring(from.length()), names.remove(name));
      }
    }
  }

  private static void applyTo(Disk disk, Entry change) {
    if (change instanceof Truncate truncate) {
      disk.durable = Arrays.copyOf(disk.durable, (int) truncate.length());
      disk.length = disk.durable.length;
    } else if (change instanceof Write write) {
      put(disk, write.offset(), write.data(), 0, write.data().length);
    }
  }

  private static void put(Disk disk, long offset, byte[] data, int from, int to) {
    int end = (int) offset + to;
    if (end > disk.durable.length) {
      disk.durable = Arrays.copyOf(disk.durable, Math.max(end, 2 * disk.durable.length));
    }
    System.arraycopy(data, from, disk.durable, (int) offset + from, to - from);
    disk.length = Math.max(disk.length, end);
  }

  /**
   * Writes what a process leaves that is killed now: all that it has done.
   *
   * @param target an existing, empty directory
   */
  public void killed(Path target) throws IOException {
    for (Map.Entry<String, Disk> name : names.entrySet()) {
      Disk disk = new Disk();
      disk.durable = name.getValue().durable.clone();
      disk.length = name.getValue().length;
      name.getValue().pending.forEach(change -> applyTo(disk, change));
      write(target.resolve(name.getKey()), disk);
    }
  }

  private static void write(Path file, Disk disk) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, Arrays.copyOf(disk.durable, disk.length));
  }

  /**
   * Writes what the device may hold if the power is cut now.
   *
   * @param target an existing, empty directory
   * @param unsynced the share of unsynced blocks that are there, 0 to 1
   */
  public void image(Path target, double unsynced, Random random) throws IOException {
    Map<String, Disk> image = new HashMap<>(durableNames);
    int renamed = unsynced == 0 ? 0 : random.nextInt(pendingNames.size() + 1);
    pendingNames.subList(0, renamed).forEach(change -> rename(image, change));
    for (Map.Entry<String, Disk> name : image.entrySet()) {
      Disk found = name.getValue();
      Disk disk = new Disk();
      disk.durable = found.durable.clone();
      disk.length = found.length;
      for (Entry change : found.pending) {
        if (change instanceof Write write) {
          putSome(disk, write, unsynced, random);
        } else if (random.nextDouble() < unsynced) {
          applyTo(disk, change);
        }
      }
      write(target.resolve(name.getKey()), disk);
    }
  }

  private static void putSome(Disk disk, Write write, double unsynced, Random random) {
    byte[] data = write.data();
    for (int from = 0; from < data.length; ) {
      int in = (int) ((write.offset() + from) % BLOCK_BYTES);
      int to = Math.min(data.length, from + BLOCK_BYTES - in);
      if (random.nextDouble() < unsynced) {
        put(disk, write.offset(), data, from, to);
      }
      from = to;
    }
  }
}
