/**
 * Segment files: large records beside the log of JE, which holds a reference to each. A segment is
 * appended to, never changed, and deleted as a whole when nothing refers to it any more.
 */
package dev.weir.queue.segment;
