package dev.weir.cluster;

/** A message in a simulated log. */
record SimEntry(long epoch, long id) {}
