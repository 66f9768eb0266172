package dev.weir.bench.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
  private static final List<String> FLAGS = List.of("-Xmx64m", "-XX:+UseSerialGC");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What the child does. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws InterruptedException {
      System.out.println("RESULT " + args[0]);
      switch (args[0]) {
        case "dies" -> throw new IllegalStateException("no more");
        case "hangs" -> Thread.sleep(PATIENCE.toMillis());
        default -> System.out.println("done");
      }
    }
  }

  /** Ends at once when its input ends, and after a signal when it has read a line. */
  static final class Closing {
    private Closing() {}

    public static void main(String[] args) throws InterruptedException {
      CountDownLatch line = new CountDownLatch(1);
      Thread reader = new Thread(() -> read(line));
      reader.setDaemon(true);
      reader.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(line)));
      System.out.println("READY runs");
      Thread.sleep(PATIENCE.toMillis());
    }

    private static void read(CountDownLatch line) {
      try {
        for (int read = System.in.read(); read >= 0; read = System.in.read()) {
          line.countDown();
        }
      } catch (IOException e) {
        // As the end.
      }
      Runtime.getRuntime().halt(7);
    }

    private static void close(CountDownLatch line) {
      System.out.println("CLOSING begins");
      try {
        line.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      System.out.println("RESULT closed");
      Runtime.getRuntime().halt(0);
    }
  }

  @Test
  void aChildThatIsAskedToEndCanStillBeSpokenTo() throws Exception {
    try (ChildJvm child = ChildJvm.start(FLAGS, Closing.class, List.of())) {
      assertThat(child.awaitLine("READY", PATIENCE)).isEqualTo("runs");
      child.terminate();
      assertThat(child.awaitLine("CLOSING", PATIENCE)).isEqualTo("begins");
      child.say("end");
      ChildJvm.Outcome outcome = child.await(PATIENCE);

      assertThat(outcome.exitCode()).isZero();
      assertThat(outcome.line("RESULT")).contains("closed");
    }
  }

  private static ChildJvm.Outcome run(String what, Duration timeout) throws Exception {
    return ChildJvm.run(FLAGS, Child.class, List.of(what), timeout);
  }

  @Test
  void aChildThatEndsWellGivesItsResult() throws Exception {
    ChildJvm.Outcome outcome = run("works", PATIENCE);

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.timedOut()).isFalse();
    assertThat(outcome.line("RESULT")).contains("works");
  }

  @Test
  void aChildThatDiesTellsItsLastLines() throws Exception {
    ChildJvm.Outcome outcome = run("dies", PATIENCE);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.describe()).contains("exit code 1", "RESULT dies", "no more");
  }

  @Test
  void aChildThatTakesTooLongIsKilled() throws Exception {
    ChildJvm.Outcome outcome = run("hangs", Duration.ofMillis(500));

    assertThat(outcome.timedOut()).isTrue();
    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.describe()).contains("took too long");
  }

  @Test
  void aSignalOfAChildThatRunsOnIsHeard() throws Exception {
    long pid;
    try (ChildJvm child = ChildJvm.start(FLAGS, Child.class, List.of("hangs"))) {
      assertThat(child.awaitLine("RESULT", PATIENCE)).isEqualTo("hangs");
      pid = child.pid();
    }

    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void aChildThatIsNotWaitedForTellsOfItsEnd() throws Exception {
    try (ChildJvm child = ChildJvm.start(FLAGS, Child.class, List.of("dies"))) {
      ChildJvm.Outcome outcome = child.outcome().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);

      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.describe()).contains("no more");
    }
  }

  @Test
  void aSignalThatNeverComesIsNotWaitedForBeyondTheEndOfTheChild() throws Exception {
    try (ChildJvm child = ChildJvm.start(FLAGS, Child.class, List.of("works"))) {
      assertThatThrownBy(() -> child.awaitLine("READY", PATIENCE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no line READY until the end", "RESULT works");
    }
  }

  @Test
  void everyLineIsToldAndTheChildEndsWhenItIsAsked() throws Exception {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    List<String> launcher = List.of("env", "WEIR_TEST=1");
    try (ChildJvm child =
        ChildJvm.start(launcher, FLAGS, Child.class, List.of("hangs"), lines::add)) {
      assertThat(lines.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo("RESULT hangs");
      child.terminate();

      assertThat(child.await(PATIENCE).timedOut()).isFalse();
    }
  }
}
