package dev.weir.state.change;

import java.util.List;
import java.util.Map;

/**
 * Changes that are applied together, in their order, all or none. A batch is all that a copy of the
 * store needs to follow it.
 *
 * @param logged what is added to the logs of changes, by factory, in the order of positions
 * @param toDevice whether they are to be forced to the device
 */
public record Batch(
    List<Change> changes, Map<String, List<LoggedChange>> logged, boolean toDevice) {}
