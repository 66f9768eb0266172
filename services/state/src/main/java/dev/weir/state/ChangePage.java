package dev.weir.state;

import java.util.List;

/**
 * Changes of a factory, in the order of their commits.
 *
 * @param changes at most as many as the limit; there may be fewer, or none, and still more to come
 * @param position for {@link ChangeQuery#setFrom} to get what comes after them
 */
public record ChangePage(List<DocumentChange> changes, long position) {}
