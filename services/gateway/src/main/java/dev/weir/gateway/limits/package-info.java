/**
 * What bounds the clients of a gateway: connections, requests and bodies in flight, and how slow a
 * client may be. For the packages of the gateway only.
 */
package dev.weir.gateway.limits;
