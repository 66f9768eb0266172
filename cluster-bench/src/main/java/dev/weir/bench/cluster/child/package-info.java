/** What every child JVM needs: flags, free ports, and an end when the parent ends. */
package dev.weir.bench.cluster.child;
