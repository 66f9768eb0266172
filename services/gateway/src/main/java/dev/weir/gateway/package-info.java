/**
 * HTTP in front of the services of a Weir.
 *
 * <p>Start at {@link dev.weir.gateway.Gateway}, which says what is served; {@link
 * dev.weir.gateway.GatewayOptions} what is allowed. Inside, each kind of routes is a class of its
 * own:
 *
 * <ul>
 *   <li>{@code ServiceRoutes}: what clients ask of services. {@code Target} reads the path, {@code
 *       BodyReader} the body, {@code RequestBody} makes a message's body of it, which {@link
 *       dev.weir.flow.Given} hands over without a copy; {@code HeaderRules} says which headers
 *       cross, {@code RequestHeaders} what those for the gateway mean.
 *   <li>{@code RequestReply} asks and answers, with {@code IdempotencyWindow} for requests with a
 *       key; {@code Events} sends what is kept.
 *   <li>{@code Exchange} is one request and its one {@code Answer}; {@code Intake} counts them and
 *       can be closed.
 *   <li>{@code Failures} says which {@code Problem} a failure is; {@code ProblemType} is the list.
 *   <li>{@code Sockets} opens WebSockets: {@code SocketSession} is one, {@code SocketFrame} a
 *       message on it, {@code SocketStream} a request with many replies, {@code StreamCredits} its
 *       room.
 *   <li>{@code OpenApiRoutes} serves the description of it all.
 *   <li>{@code Guard} stands before all of them: {@code Tls}, {@code Tokens} with {@code Access},
 *       {@code Connections} with the limits of time and number, {@code RequestLimit}.
 *   <li>{@code MetricsRoutes}, {@code HealthRoutes} and the {@link dev.weir.gateway.dashboard} show
 *       how the node does; {@code AdminRoutes} let it be changed.
 * </ul>
 */
package dev.weir.gateway;
