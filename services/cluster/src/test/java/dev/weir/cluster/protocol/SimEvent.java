package dev.weir.cluster.protocol;

/** What the transport of a simulated member reports to it. */
sealed interface SimEvent {

  int member();

  record Connected(int member) implements SimEvent {}

  record Lost(int member) implements SimEvent {}

  record Refused(int member) implements SimEvent {}

  record Received(int member, SimFrame frame) implements SimEvent {}
}
