package dev.weir.group;

import io.vertx.core.buffer.Buffer;

/**
 * A timer that is due. It is removed before the processor sees it.
 *
 * @param body as it was set; null if none was
 * @param dueMs when it was to fire
 * @param timestampMs when it fires, as of {@link GroupMessage#timestampMs}
 */
public record GroupTimer(String name, Buffer body, long dueMs, long timestampMs) {}
