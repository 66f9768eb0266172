/** How soon a program is ready, and what it takes of memory and disk then. */
package dev.weir.bench.eventbus.start;
