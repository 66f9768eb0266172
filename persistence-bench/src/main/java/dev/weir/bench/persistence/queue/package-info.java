/** The scenarios that measure weir-queue: queue, cleaner, steady and recovery. */
package dev.weir.bench.persistence.queue;
