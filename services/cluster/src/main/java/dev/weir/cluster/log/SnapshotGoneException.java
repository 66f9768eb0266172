package dev.weir.cluster.log;

import java.io.IOException;

/** A snapshot that is being read is not there any more: the log was truncated or replaced. */
public final class SnapshotGoneException extends IOException {
  private static final long serialVersionUID = 1;

  SnapshotGoneException() {
    super("the snapshot is not there any more");
  }
}
