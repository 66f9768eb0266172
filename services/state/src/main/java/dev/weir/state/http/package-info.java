/** The way in by HTTP. */
package dev.weir.state.http;
