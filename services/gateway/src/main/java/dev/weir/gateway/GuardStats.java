package dev.weir.gateway;

/**
 * Counts of what the gateways of a port admitted and refused since the first of them started.
 *
 * @param connections that are open, TLS handshakes included
 * @param refusedConnections closed at once, for there were too many
 * @param headerTimeouts connections closed because a request's headers, or the end of a TLS
 *     handshake, did not come
 * @param bodyTimeouts connections closed because a request's body did not come
 * @param idleTimeouts connections closed because there was no request
 * @param writeTimeouts connections closed because the client did not take what was sent
 * @param requestsInFlight being answered, with those that a service handles although their clients
 *     are gone, and with open event streams and WebSockets
 * @param bodyBytesInFlight what their bodies count
 * @param rejectedRequests answered with 503, for too many were in flight
 * @param deniedRequests answered with 401 or 403
 * @param callsInFlight requests to services that are not answered yet, those on WebSockets included
 * @param calls requests to services that were taken
 */
record GuardStats(
    int connections,
    long refusedConnections,
    long headerTimeouts,
    long bodyTimeouts,
    long idleTimeouts,
    long writeTimeouts,
    int requestsInFlight,
    long bodyBytesInFlight,
    long rejectedRequests,
    long deniedRequests,
    int callsInFlight,
    long calls) {}
