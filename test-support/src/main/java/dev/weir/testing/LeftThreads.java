package dev.weir.testing;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Threads that somebody has started and not ended. */
final class LeftThreads {
  /** Where the JDK has threads of its own, such as those of its cleaners. */
  private static final String JDK_GROUP = "InnocuousThreadGroup";

  /**
   * Parts of names. Of the JDK, JUnit, Netty, Chronicle, Selenium and the progress bars: shared by
   * all of the JVM, or ended by the collector. That of vertx-hazelcast is never ended.
   */
  private static final List<String> SHARED =
      List.of(
          "Attach Listener",
          "CompletableFutureDelayScheduler",
          "ForkJoinPool.commonPool-",
          "HttpClient-",
          "JFR ",
          "Keep-Alive-",
          "ProgressBar",
          "RMI ",
          "UrlChecker-",
          "background~resource~releaser",
          "disk~space~checker",
          "globalEventExecutor-",
          "junit-jupiter-timeout-watcher",
          "process reaper",
          "surefire-",
          "vertx-hazelcast-service-throttling-");

  /** Of the timers of Ratis, which has eight for all clients of the JVM. */
  private static final Pattern RATIS_TIMER = Pattern.compile("timer[0-7]");

  /** Of those that carry virtual threads, which the JDK ends half a minute after their last one. */
  private static final String CARRIER = "jdk.internal.misc.CarrierThread";

  private LeftThreads() {}

  /** All that run, shared ones too. */
  static Set<Thread> now() {
    return Thread.getAllStackTraces().keySet();
  }

  /** Those that run, are not shared, and did not run then. */
  static List<Thread> since(Set<Thread> then) {
    return now().stream()
        .filter(thread -> !then.contains(thread) && thread.isAlive() && !isShared(thread))
        .sorted(Comparator.comparing(Thread::getName))
        .toList();
  }

  private static boolean isShared(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return group != null && group.getName().equals(JDK_GROUP)
        || thread.getClass().getName().equals(CARRIER)
        || RATIS_TIMER.matcher(thread.getName()).matches()
        || SHARED.stream().anyMatch(thread.getName()::contains);
  }

  /** Their names, and where each is. */
  static String describe(List<Thread> threads) {
    return threads.stream()
        .map(thread -> thread.getName() + at(thread.getStackTrace()))
        .collect(Collectors.joining(", "));
  }

  private static String at(StackTraceElement[] stack) {
    return stack.length == 0 ? "" : " at " + stack[stack.length - 1];
  }
}
