/**
 * Stateful services: factories of JSON documents, one document per key, each with a version, kept
 * in Berkeley DB JE and reached by Java, the event bus or HTTP.
 *
 * <p>Start at {@link dev.weir.state.Documents}. Inside, {@code change} decides what an operation
 * does to a document and knows no thread and no file, {@code je} applies batches of changes, {@code
 * engine} has the threads, {@code bus} is the way in from the event bus.
 */
package dev.weir.state;
