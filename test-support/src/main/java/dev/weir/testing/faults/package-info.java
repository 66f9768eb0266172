/**
 * Faults of a disk under a process of its own: failed and short writes, full disks, failed syncs,
 * and the loss of power, by a library that is loaded before libc. Linux and a C compiler are
 * needed.
 */
package dev.weir.testing.faults;
