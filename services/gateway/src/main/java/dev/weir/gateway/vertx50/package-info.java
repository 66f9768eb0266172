/**
 * What fits Vert.x 5.0 and no other: an HTTP server whose connections are watched from their first
 * byte on, the only code that extends the server inside Vert.x, and figures of requests with meters
 * that are held. Loaded by name, and left out by a build with another Vert.x: see {@link
 * dev.weir.gateway.metrics.Vertx50}.
 */
package dev.weir.gateway.vertx50;
