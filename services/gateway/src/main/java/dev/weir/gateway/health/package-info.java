/**
 * Whether a node should get requests: {@link dev.weir.gateway.health.Health} asks every {@link
 * dev.weir.gateway.health.HealthCheck}.
 */
package dev.weir.gateway.health;
