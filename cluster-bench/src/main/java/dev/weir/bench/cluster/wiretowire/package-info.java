/** The scenario {@code wire-to-wire} and its tables. */
package dev.weir.bench.cluster.wiretowire;
