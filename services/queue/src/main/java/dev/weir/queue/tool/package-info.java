/** The command line tool for the directory of a store that is not running. Nothing may use it. */
package dev.weir.queue.tool;
