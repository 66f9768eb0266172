/** The tables of documents in Berkeley DB JE. Only threads that nobody interrupts use it. */
package dev.weir.state.je;
