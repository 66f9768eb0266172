/** The threads of a store: those that run operations, and the one that commits. */
package dev.weir.state.engine;
