package dev.weir.bench.eventbus;

import io.vertx.core.net.SocketAddress;

/**
 * Where requests go.
 *
 * @param path of the URI
 * @param body what they carry
 */
record HttpTarget(SocketAddress server, String path, HttpBody body) {}
