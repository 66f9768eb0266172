package dev.weir.bench.eventbus.http;

import io.vertx.core.net.SocketAddress;

/**
 * The server and path that requests go to, and the kind of body they carry.
 *
 * @param path of the URI
 * @param body what they carry
 */
record HttpEndpoint(SocketAddress server, String path, HttpBody body) {}
