/**
 * The four encodings of a car: SBE and Protocol Buffers, each by flyweights or generated messages
 * and by plain objects. {@link dev.weir.processor.Encoding} creates the codecs; nothing else names
 * them.
 */
package dev.weir.processor.codec;
