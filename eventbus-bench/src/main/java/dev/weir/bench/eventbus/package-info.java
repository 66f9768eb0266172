/**
 * What a service on the event bus costs: the bare bus, the pool in front of it, its memory tier and
 * its disk tier, each measured beside the floor below it.
 *
 * <p>{@link dev.weir.bench.eventbus.EventBusBench} lists the scenarios. A package holds the
 * scenarios of one question; {@code fixture} and {@code body} hold what they share.
 */
package dev.weir.bench.eventbus;
