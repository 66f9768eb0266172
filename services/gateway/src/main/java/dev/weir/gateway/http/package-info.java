/**
 * HTTP as every route of the gateway uses it: the exchange of one request and its answer, problems,
 * bodies, headers. Knows no route. For the packages of the gateway only.
 */
package dev.weir.gateway.http;
