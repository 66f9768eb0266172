/**
 * The routes of clients and probes: calls to services, health, metrics, and the OpenAPI document.
 * For {@link dev.weir.gateway.Gateway} only.
 */
package dev.weir.gateway.routes;
