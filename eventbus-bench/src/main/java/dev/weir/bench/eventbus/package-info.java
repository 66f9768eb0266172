/**
 * What a service on the event bus costs: the bare bus, the pool in front of it, its memory tier and
 * its disk tier, each measured beside the floor below it.
 *
 * <p>Start at {@link dev.weir.bench.eventbus.EventBusBench}, which lists the scenarios. A {@code
 * ServiceFixture} is the system under test, a {@code Bodies} makes what is sent, an {@code ArrivalCheck} checks
 * what a service gets.
 */
package dev.weir.bench.eventbus;
