/** Filters, and the part of an index that a query reads; no thread, no file. */
package dev.weir.state.query;
