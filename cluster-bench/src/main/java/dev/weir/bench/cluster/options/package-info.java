/**
 * The options of the programs, named as in the original benchmark, and the settings of scenarios.
 */
package dev.weir.bench.cluster.options;
