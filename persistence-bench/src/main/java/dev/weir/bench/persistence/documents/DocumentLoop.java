package dev.weir.bench.persistence.documents;

import dev.weir.bench.Preheat;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.Verdict;
import java.io.Closeable;

/** Where documents are, and who works on them: this process or a child. */
interface DocumentLoop extends Closeable {
  /** Runs so many operations, with so many without an answer at most, blocking the caller. */
  RoundResult round(DocumentWork work, long operations) throws Exception;

  /** How long the compilers of the process at work have worked, as of the last round. */
  default long compiledMs() {
    return Preheat.compiledMs();
  }

  /** Whether each put was applied once, blocking the caller. */
  Verdict verdict(DocumentWork work) throws Exception;
}
