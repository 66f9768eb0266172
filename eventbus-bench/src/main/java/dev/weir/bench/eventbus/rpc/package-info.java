/** The scenario "rpc": requests through the bare bus, the memory tier and the disk tier. */
package dev.weir.bench.eventbus.rpc;
