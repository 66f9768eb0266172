/** The command line tool that looks into a queue's directory; see docs/operations.md. */
package dev.weir.queue.tool;
