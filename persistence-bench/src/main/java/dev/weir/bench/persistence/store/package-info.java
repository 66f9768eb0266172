/**
 * Ways to keep messages on disk, behind one interface, and the check of what is read back. Names no
 * store; the packages below it hold one store each.
 */
package dev.weir.bench.persistence.store;
