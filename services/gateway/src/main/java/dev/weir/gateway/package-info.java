/**
 * HTTP in front of the services of a Weir. Start at {@link dev.weir.gateway.Gateway}; {@link
 * dev.weir.gateway.GatewayOptions} says where it listens and what it allows.
 *
 * <p>Users name this package and {@code metrics}, {@code health} and {@code launch}. Packages, each
 * naming only packages below it:
 *
 * <ul>
 *   <li>{@code launch}: runs a service with its gateway as a program.
 *   <li>this package: {@code Gateway} and {@code Guard} put the parts together.
 *   <li>{@code routes}, {@code admin}, {@code dashboard}: what is served.
 *   <li>{@code websocket}: requests over one WebSocket.
 *   <li>{@code limits}, {@code security}: what stands between the network and the routes.
 *   <li>{@code http}: requests, answers and problems.
 *   <li>{@code health}, {@code metrics}: the state and the figures of the node.
 * </ul>
 */
package dev.weir.gateway;
