/** What the engine reads of a factory: tables on disk or in memory. */
package dev.weir.state.table;
