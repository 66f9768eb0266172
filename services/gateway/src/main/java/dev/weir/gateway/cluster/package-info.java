/**
 * What operators see of the cluster: {@link dev.weir.gateway.cluster.ClusterJson} puts together
 * what a {@link dev.weir.gateway.metrics.ClusterView} and the groups say.
 */
package dev.weir.gateway.cluster;
