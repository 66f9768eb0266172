/**
 * Requests and streams of replies over one WebSocket. {@link dev.weir.gateway.websocket.Sockets}
 * accepts the connection. For the packages of the gateway only.
 */
package dev.weir.gateway.websocket;
