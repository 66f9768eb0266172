/**
 * Who may use a gateway: TLS certificates, bearer tokens, allowed host names. For the packages of
 * the gateway only.
 */
package dev.weir.gateway.security;
