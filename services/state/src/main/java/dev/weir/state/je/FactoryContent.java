package dev.weir.state.je;

import dev.weir.state.index.IndexFields;

/**
 * What a factory has when it is opened.
 *
 * @param floor the largest version that was ever deleted in it; 0 for none
 * @param fields its indexed fields
 * @param lastChange the position of the last change in its log; used if it has a log
 * @param documents how many there are on disk
 */
public record FactoryContent(long floor, IndexFields fields, long lastChange, long documents) {}
