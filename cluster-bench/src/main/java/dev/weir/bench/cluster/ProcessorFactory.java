package dev.weir.bench.cluster;

import dev.weir.bench.program.Usage;

/** Makes what a processor program drives. */
interface ProcessorFactory {
  /**
   * Opens a processor that has handled nothing yet.
   *
   * @param usage for options that turn out not to work here
   */
  ProcessorUnderTest open(Kind kind, ProcessorOptions options, ThreadPlan threads, Usage usage)
      throws Exception;

  /** What it is, in words, for the first line of the output. */
  String describe(ProcessorOptions options);

  /** No cluster: the floor. */
  static ProcessorFactory loopback() {
    return new ProcessorFactory() {
      @Override
      public ProcessorUnderTest open(
          Kind kind, ProcessorOptions options, ThreadPlan threads, Usage usage) {
        return new Loopback(kind, options.general.encoding);
      }

      @Override
      public String describe(ProcessorOptions options) {
        return "loopback, the handler alone: no cluster, no log";
      }
    };
  }
}
