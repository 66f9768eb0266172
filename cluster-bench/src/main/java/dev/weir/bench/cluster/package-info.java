/**
 * The command {@code cluster-bench}. Everything else is in the packages below, which never name the
 * command.
 */
package dev.weir.bench.cluster;
