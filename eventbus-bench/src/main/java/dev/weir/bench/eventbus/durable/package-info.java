/**
 * The scenarios "durable-send" and "backlog": messages that must not be lost, beside plain files.
 */
package dev.weir.bench.eventbus.durable;
