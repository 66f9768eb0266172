/** The programs message-logger, packet-logger and store-logger: options, one run, verdict. */
package dev.weir.bench.persistence.program;
