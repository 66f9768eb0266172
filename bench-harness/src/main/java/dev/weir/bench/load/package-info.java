/** Load generation: closed-loop (capacity) and open-loop (latency) drivers over a target. */
package dev.weir.bench.load;
