/** What messages carry: buffers, immutable objects and JSON that can be told apart and checked. */
package dev.weir.bench.eventbus.body;
