/**
 * What an operation does to a document, and the changes that follow; no thread, no clock, no file.
 */
package dev.weir.state.change;
