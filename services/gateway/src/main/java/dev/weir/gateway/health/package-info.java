/**
 * Whether a node should get requests: {@link dev.weir.gateway.health.Health} asks every {@link
 * dev.weir.gateway.health.HealthCheck}. All public types of the package are part of the API.
 */
package dev.weir.gateway.health;
