package dev.weir.testing;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves behind what it has started: threads and open files. It is
 * registered for all classes of all modules.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  private record Before(Set<Thread> threads, List<String> files) {}

  @Override
  public void beforeAll(ExtensionContext context) {
    if (isOutermost(context)) {
      Before before = new Before(LeftThreads.now(), OpenFiles.now());
      context.getStore(NAMESPACE).put(Before.class, before);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (isOutermost(context)) {
      Before before = context.getStore(NAMESPACE).get(Before.class, Before.class);
      Await.until(
          () -> "threads end: " + LeftThreads.describe(LeftThreads.since(before.threads)),
          () -> LeftThreads.since(before.threads).isEmpty());
      Await.until(
          () -> "files are closed: " + OpenFiles.since(before.files),
          () -> OpenFiles.since(before.files).isEmpty());
    }
  }

  /** What a nested class starts may end with the class around it. */
  private static boolean isOutermost(ExtensionContext context) {
    return context.getRequiredTestClass().getEnclosingClass() == null;
  }
}
