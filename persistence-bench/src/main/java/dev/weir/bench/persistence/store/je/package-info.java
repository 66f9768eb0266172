/** Berkeley DB JE as a store of messages: the only package that names com.sleepycat. */
package dev.weir.bench.persistence.store.je;
