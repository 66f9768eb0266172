/** Indexed fields, and the order-preserving form of their values. */
package dev.weir.state.index;
