/** What makes a figure earned: counts, order, content, and the verdict on them. */
package dev.weir.bench.verify;
