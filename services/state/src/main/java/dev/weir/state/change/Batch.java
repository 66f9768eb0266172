package dev.weir.state.change;

import java.util.List;

/**
 * Changes that are applied together, in their order, all or none. A batch is all that a copy of the
 * store needs to follow it.
 *
 * @param toDevice whether they are to be forced to the device
 */
public record Batch(List<Change> changes, boolean toDevice) {}
