/** The scenarios "http" and "http-latency": the gateway beside a bare Vert.x server. */
package dev.weir.bench.eventbus.http;
