/** The load: which messages are sent when, and how every reply is checked and timed. */
package dev.weir.bench.cluster.injection;
