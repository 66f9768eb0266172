/**
 * The worked example of weir-cluster: a clustered processor of cars in four encodings, and the
 * program {@code processor.jar} around it.
 *
 * <p>{@link dev.weir.processor.CarProcessor} and {@link dev.weir.processor.CarStateProcessor}
 * handle requests. {@link dev.weir.processor.CarRequests} writes the requests and checks the
 * replies.
 */
package dev.weir.processor;
