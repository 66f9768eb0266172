/**
 * The decisions and the counts of one service, without Vert.x, threads, files or clock. Only {@code
 * dev.weir.flow.impl} names this package.
 */
package dev.weir.flow.pool;
