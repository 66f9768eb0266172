package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.injection.Kind;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.options.ProcessorOptions;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.program.Usage;

/** Makes what a processor program drives. */
public interface ProcessorFactory {
  /**
   * Opens a processor that has handled nothing yet.
   *
   * @param usage for options that turn out not to work here
   */
  ProcessorUnderTest open(Kind kind, ProcessorOptions options, ThreadPlan threads, Usage usage)
      throws Exception;

  /** What it is, in words, for the first line of the output. */
  String describe(ProcessorOptions options);
}
