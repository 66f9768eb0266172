/** The machine under the run: description, stolen time, garbage collection, scheduling noise. */
package dev.weir.bench.env;
