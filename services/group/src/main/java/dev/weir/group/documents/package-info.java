/** Factories of documents that are replicated: what their primaries do, and how they are called. */
package dev.weir.group.documents;
