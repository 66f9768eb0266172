package dev.weir.queue.tool;

import dev.weir.queue.QueueException;
import dev.weir.queue.je.DirectoryLock;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line tool for the data directory of a queue store that is not running. */
@Command(
    name = QueueTool.NAME,
    mixinStandardHelpOptions = true,
    versionProvider = QueueTool.Version.class,
    description = "Reads and changes the data directory of a queue store that is not running.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ListCommand.class,
      StatsCommand.class,
      PeekCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      PurgeCommand.class,
      RequeueCommand.class,
      DeadLettersCommand.class,
      DeleteCommand.class,
      DeleteQueueCommand.class,
      ReleaseCommand.class,
      VerifyCommand.class,
      CompactCommand.class,
      BackupCommand.class,
      RestoreCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, nothing is wrong",
      "1:something is damaged, lost or invalid; the output names it",
      "2:the command line is wrong",
      "3:the directory or a file cannot be used: absent, no store, in use, no permission, newer"
          + " format, disk full",
      "4:the heap is too small for a message; run java with a larger -Xmx"
    },
    footer = {
      "",
      "list, stats, peek, export, dead-letters and verify change only the lock file.",
      "Each command has its own help: " + QueueTool.NAME + " COMMAND --help"
    })
public final class QueueTool implements Runnable {
  static final String NAME = "weir-queue";

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  /** Where the progress of a command is shown; null if nobody can see it. */
  private final PrintStream terminal;

  private final LongSupplier clockNs;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private QueueTool(
      InputStream in,
      PrintStream out,
      PrintStream err,
      PrintStream terminal,
      LongSupplier clockNs) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
    this.clockNs = clockNs;
  }

  /** Runs the tool and ends the JVM with its exit code. */
  public static void main(String[] args) {
    // The tool reports failures itself; log lines of the library would repeat them.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    Logger quiet = Logger.getLogger("");
    quiet.setLevel(Level.OFF);
    PrintStream out = new StandardOutput();
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    int exitCode = run(System.in, out, err, args);
    System.exit(exitCode);
  }

  /**
   * Runs the tool in this JVM. Blocks until it is done; must not be interrupted.
   *
   * @return the exit code
   */
  public static int run(InputStream in, PrintStream out, PrintStream err, String... args) {
    boolean isSeen = out instanceof StandardOutput && ProgressLine.isTerminal();
    return run(new QueueTool(in, out, err, isSeen ? err : null, System::nanoTime), args);
  }

  /** Runs the tool as if standard error were a terminal. */
  static int runAtTerminal(
      InputStream in, PrintStream out, PrintStream err, LongSupplier clockNs, String... args) {
    return run(new QueueTool(in, out, err, err, clockNs), args);
  }

  private static int run(QueueTool tool, String... args) {
    PrintStream out = tool.out;
    PrintStream err = tool.err;
    PrintWriter helpOut = new PrintWriter(out, true, StandardCharsets.UTF_8);
    CommandLine commands =
        new CommandLine(tool)
            .setOut(helpOut)
            .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
            .setUsageHelpLongOptionsMaxWidth(24)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((e, all) -> tool.misused(e))
            .setExecutionExceptionHandler((e, command, parsed) -> tool.failed(e));
    int exitCode;
    try {
      exitCode = commands.execute(args);
    } catch (OutOfMemoryError e) {
      exitCode = tool.outOfMemory();
    }
    if (out.checkError() && exitCode == ExitCodes.OK) {
      if (out instanceof StandardOutput standard && standard.isReaderGone()) {
        return ExitCodes.OK;
      }
      tool.say("cannot write to standard output");
      return ExitCodes.UNUSABLE;
    }
    return exitCode;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private int misused(ParameterException e) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    say(e.getMessage() + suggestion(e) + " (see " + command + " --help)");
    return ExitCodes.USAGE;
  }

  /** What may have been meant by a word that is no command or option. */
  private static String suggestion(ParameterException e) {
    List<String> meant =
        e instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
    return meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?";
  }

  private int outOfMemory() {
    say(
        "the heap of "
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " MiB is too small: a message takes four times its size; run java with a larger"
            + " -Xmx, as in java -Xmx2g -jar weir-queue.jar");
    return ExitCodes.MEMORY;
  }

  private static boolean isOutOfMemory(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof OutOfMemoryError) {
        return true;
      }
    }
    return false;
  }

  private int failed(Exception e) {
    if (isOutOfMemory(e)) {
      return outOfMemory();
    }
    if (e instanceof QueueException) {
      say(e.getMessage());
      return ExitCodes.UNUSABLE;
    }
    if (e instanceof IllegalArgumentException) {
      say(e.getMessage());
      return ExitCodes.USAGE;
    }
    if (e instanceof UncheckedIOException unchecked) {
      say(describe(unchecked.getCause()));
      return ExitCodes.UNUSABLE;
    }
    if (e instanceof IOException io) {
      say(describe(io));
      return ExitCodes.UNUSABLE;
    }
    say("failed unexpectedly");
    e.printStackTrace(err);
    return ExitCodes.UNUSABLE;
  }

  static String describe(IOException e) {
    return "input or output failed: " + DirectoryLock.describe(e);
  }

  /** Prints one line on standard error. */
  void say(String line) {
    err.println(NAME + ": " + line);
  }

  /** Shows the progress of a command if somebody can see it; to be closed. */
  ProgressLine progress(String command) {
    return new ProgressLine(command, terminal, clockNs);
  }

  InputStream in() {
    return in;
  }

  PrintStream out() {
    return out;
  }

  /** What the jar's manifest says. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = QueueTool.class.getPackage().getImplementationVersion();
      return new String[] {NAME + " " + (version == null ? "development" : version)};
    }
  }
}
