package dev.weir.bench.cluster;

import dev.weir.bench.program.Names;
import dev.weir.cluster.GroupBuilder;
import dev.weir.processor.CarProcessor;
import dev.weir.processor.CarStateProcessor;
import dev.weir.processor.Encoding;
import java.util.function.LongUnaryOperator;

/** The kinds of processor. */
public enum Kind {
  /** Event sourcing. */
  ES {
    @Override
    public LongUnaryOperator odometer() {
      return LongUnaryOperator.identity();
    }

    @Override
    public GroupBuilder on(GroupBuilder builder, Encoding encoding) {
      return builder.processor(new CarProcessor(encoding));
    }
  },
  /** State replication. */
  SR {
    @Override
    public LongUnaryOperator odometer() {
      return number -> CarStateProcessor.odometer(number, CarStateProcessor.DEFAULT_OBJECTS);
    }

    @Override
    public GroupBuilder on(GroupBuilder builder, Encoding encoding) {
      return builder.processor(new CarStateProcessor(encoding, CarStateProcessor.DEFAULT_OBJECTS));
    }
  };

  /** The odometer in the reply to the message with a number, if the first message had number 1. */
  public abstract LongUnaryOperator odometer();

  /** Gives a group its handler. */
  public abstract GroupBuilder on(GroupBuilder builder, Encoding encoding);

  /** As in results: {@code es} or {@code sr}. */
  @Override
  public String toString() {
    return Names.of(this);
  }
}
