/** What lies below every store: plain writes to a file. Any benchmark may use it. */
package dev.weir.bench.floor;
