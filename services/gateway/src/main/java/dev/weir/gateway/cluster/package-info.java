/**
 * What operators see of the cluster: {@link dev.weir.gateway.cluster.ClusterJson} puts together
 * what a {@link dev.weir.gateway.metrics.ClusterView} and the groups say. {@link
 * dev.weir.gateway.cluster.NodeMembers} is part of the API; the other classes are implementation.
 */
package dev.weir.gateway.cluster;
