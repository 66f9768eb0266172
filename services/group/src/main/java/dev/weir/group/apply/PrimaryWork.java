package dev.weir.group.apply;

import java.util.List;

/**
 * What the state of a group has for its primary to do.
 *
 * @param timer the timer that is due first; null if there is none
 * @param dueMs its time
 * @param messages to be sent
 */
public record PrimaryWork(String timer, long dueMs, List<OutgoingMessage> messages) {}
