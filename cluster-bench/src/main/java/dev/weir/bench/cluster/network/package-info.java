/** The network between members, and how it is cut. */
package dev.weir.bench.cluster.network;
