/**
 * All that this library uses of Vert.x beyond its public API, for a change of Vert.x to be met in
 * one place: the contexts and hooks that the modules of Vert.x itself are built on ({@link
 * dev.weir.flow.vertx.Contexts}), and the inside of the event bus and of buffers (the other
 * classes). What can be done without is tried before it is used. The modules above use {@code
 * Contexts} too. Not part of the API.
 */
package dev.weir.flow.vertx;
