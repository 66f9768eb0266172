package dev.weir.bench.persistence.documents;

import dev.weir.bench.program.Names;
import dev.weir.state.FactoryOptions;

/** What is done to documents, with its name in the results. */
enum DocumentWork {
  /** Replaces documents that are in memory only. */
  PUT_MEMORY(new FactoryOptions().setPersisted(false), false),
  /** Replaces documents; each answer comes when its version is in the operating system. */
  PUT_PERSISTED(new FactoryOptions(), false),
  /** Replaces documents; an answer comes at once, and a commit every 5 s. */
  PUT_INTERVAL(new FactoryOptions().setCommitIntervalMs(5_000), false),
  /** Creates documents; each answer comes when its document is in the operating system. */
  POST_PERSISTED(new FactoryOptions(), true),
  /** Creates documents that can never be changed. */
  POST_IMMUTABLE(new FactoryOptions().setImmutable(true), true);

  private final FactoryOptions options;
  private final boolean creates;

  DocumentWork(FactoryOptions options, boolean creates) {
    this.options = options;
    this.creates = creates;
  }

  /** Of the factory. */
  FactoryOptions options() {
    return options;
  }

  /** The work whose floor this one is compared with; null for none. */
  DocumentWork floor() {
    return switch (this) {
      case PUT_INTERVAL -> null;
      case POST_IMMUTABLE -> POST_PERSISTED;
      default -> this;
    };
  }

  /** Whether each operation creates a document. */
  boolean creates() {
    return creates;
  }

  /** What an acknowledged operation survives. */
  String durability() {
    return switch (this) {
      case PUT_MEMORY -> "none: in memory only";
      case PUT_INTERVAL -> "none: up to 5 s are lost";
      default -> "PROCESS";
    };
  }

  @Override
  public String toString() {
    return Names.of(this);
  }
}
