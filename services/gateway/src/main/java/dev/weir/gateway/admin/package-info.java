/**
 * The routes below {@code /admin}, by which an operator looks into and changes running services.
 * For {@link dev.weir.gateway.Gateway} only.
 */
package dev.weir.gateway.admin;
