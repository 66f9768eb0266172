/**
 * Services whose handlers are elsewhere: the owner hands messages on to consumers by their credits.
 * Its parts are not meant for users.
 */
package dev.weir.flow.remote;
