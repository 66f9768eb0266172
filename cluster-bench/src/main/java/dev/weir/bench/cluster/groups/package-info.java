/** The scenario {@code processor}: several groups on the same members, and their client side. */
package dev.weir.bench.cluster.groups;
