package dev.weir.bench.load;

import java.util.ArrayList;
import java.util.List;

/** Keeps what it was sent until the test answers. */
final class CapturingTarget implements Target {
  final List<Long> operations = new ArrayList<>();
  final List<Long> startTimesNs = new ArrayList<>();

  @Override
  public void send(long operation, long startTimeNs, ReplySink sink) {
    operations.add(operation);
    startTimesNs.add(startTimeNs);
  }
}
