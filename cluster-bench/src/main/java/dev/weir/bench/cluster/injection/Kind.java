package dev.weir.bench.cluster.injection;

import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.processor.CarProcessor;
import dev.weir.processor.CarStateProcessor;
import dev.weir.processor.Encoding;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.LongUnaryOperator;

/** The two kinds of processor. */
public enum Kind {
  /** Event sourcing. */
  ES {
    @Override
    public LongUnaryOperator odometer() {
      return LongUnaryOperator.identity();
    }

    @Override
    BiConsumer<Inbound, Outbound> alone(Encoding encoding) {
      return new CarProcessor(encoding)::onMessage;
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
    BiConsumer<Inbound, Outbound> alone(Encoding encoding) {
      CarStateProcessor processor =
          new CarStateProcessor(encoding, CarStateProcessor.DEFAULT_OBJECTS);
      MemoryState state = new MemoryState();
      return (message, out) -> processor.onMessage(message, state, out);
    }

    @Override
    public GroupBuilder on(GroupBuilder builder, Encoding encoding) {
      return builder.processor(new CarStateProcessor(encoding, CarStateProcessor.DEFAULT_OBJECTS));
    }
  };

  /** What the odometer of the reply to a message is, when the first had number 1. */
  public abstract LongUnaryOperator odometer();

  /** The handler without a cluster around it. */
  abstract BiConsumer<Inbound, Outbound> alone(Encoding encoding);

  /** Gives a group its handler. */
  public abstract GroupBuilder on(GroupBuilder builder, Encoding encoding);

  /** As in results: {@code es} or {@code sr}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
