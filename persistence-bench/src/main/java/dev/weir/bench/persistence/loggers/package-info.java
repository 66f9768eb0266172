/** The scenario "loggers": the same messages through every store, side by side. */
package dev.weir.bench.persistence.loggers;
