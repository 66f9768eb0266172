package dev.weir.state.je;

import dev.weir.state.index.IndexFields;

/**
 * What a factory has when it is opened.
 *
 * @param floor the largest version that was ever deleted in it; 0 for none
 * @param fields its indexed fields
 */
public record FactoryContent(long floor, IndexFields fields) {}
