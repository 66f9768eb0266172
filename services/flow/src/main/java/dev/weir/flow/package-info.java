/**
 * Services on the Vert.x event bus behind a manager and its workers.
 *
 * <p>Start at {@link dev.weir.flow.Weir}; {@link dev.weir.flow.ServiceHandler} is what a user
 * writes. Inside, {@code Manager} reads as the table of contents of a service, {@code Pool} makes
 * its decisions, {@code Requester} is the way to reply, {@code Envelope} what the disk tier keeps.
 */
package dev.weir.flow;
