/** Checks of what came back: counts, order, content, and the verdict on them. */
package dev.weir.bench.verify;
