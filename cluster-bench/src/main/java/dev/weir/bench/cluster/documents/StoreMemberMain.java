package dev.weir.bench.cluster.documents;

import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.documents.DocumentsMain;

/** A member of a store: the program {@code documents.jar}, which ends with its parent. */
public final class StoreMemberMain {
  private StoreMemberMain() {}

  /** Runs the program until it is stopped or the parent ends. */
  public static void main(String[] args) {
    ParentWatch.start();
    DocumentsMain.main(args);
  }
}
