/** Cluster members in child processes, and what they report. */
package dev.weir.bench.cluster.member;
