/**
 * A clustered processor of cars: the message of the processor benchmark in four encodings, its
 * handler, and both kinds of processor around it.
 *
 * <p>A user of {@link dev.weir.processor.CarProcessor} or {@link
 * dev.weir.processor.CarStateProcessor} sends what {@link dev.weir.processor.CarRequests} writes
 * and has it check what comes back.
 */
package dev.weir.processor;
