package dev.weir.documents;

import dev.weir.launcher.Launcher;

/** The program {@code documents.jar}. */
public final class DocumentsMain {
  private DocumentsMain() {}

  /** Runs the store until it is told to stop. */
  public static void main(String[] args) {
    Launcher.run(new DocumentStore(), args);
  }
}
