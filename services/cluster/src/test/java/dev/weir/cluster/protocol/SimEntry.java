package dev.weir.cluster.protocol;

/** A message in a simulated log. */
record SimEntry(long epoch, long id) {}
