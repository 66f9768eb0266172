/** The group that is measured: the primary in this process, the backup in a child process. */
package dev.weir.bench.cluster.processor;
