/**
 * The files of a store: directory and lock, the Berkeley DB JE environment with the tables of the
 * queues, the bytes of their records, repair and backup, and a reader of JE's log that works
 * without JE. The only package that names {@code com.sleepycat}. Used by the packages {@code store}
 * and {@code offline} and by the entry classes.
 */
package dev.weir.queue.je;
