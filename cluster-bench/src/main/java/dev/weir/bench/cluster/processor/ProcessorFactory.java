package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.injection.ProcessorUnderTest;

/** Opens what a program or a scenario drives; a test may open something else than a group. */
public interface ProcessorFactory {
  /** Opens a processor that has handled nothing yet. */
  ProcessorUnderTest open(ProcessorSetup setup) throws Exception;
}
