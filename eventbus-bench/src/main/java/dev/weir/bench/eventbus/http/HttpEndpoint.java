package dev.weir.bench.eventbus.http;

import io.vertx.core.net.SocketAddress;

/**
 * Where requests go.
 *
 * @param path of the URI
 * @param body what they carry
 */
record HttpEndpoint(SocketAddress server, String path, HttpBody body) {}
