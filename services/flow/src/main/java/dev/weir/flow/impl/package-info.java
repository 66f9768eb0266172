/**
 * A running service: the manager on its event loop, the handler's runner, the codecs, the way to
 * the disk tier. Only {@link dev.weir.flow.Weir} names this package.
 */
package dev.weir.flow.impl;
