package dev.weir.processor;

import picocli.CommandLine.IVersionProvider;

/** The version as the jar's manifest has it. */
final class ProcessorVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = ProcessorMain.class.getPackage().getImplementationVersion();
    return new String[] {"processor " + (version == null ? "(not from a jar)" : version)};
  }
}
