/** What programs beside the scenarios have in common: options, output, files, child processes. */
package dev.weir.bench.program;
