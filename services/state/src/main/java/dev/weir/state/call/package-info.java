/** The ways in: futures for Java, and the event bus. */
package dev.weir.state.call;
