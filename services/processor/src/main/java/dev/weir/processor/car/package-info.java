/**
 * The benchmark's message: a car as a plain object, the sample cars, and a checksum over a car's
 * fields. The other packages of this module use it; it uses none of them.
 */
package dev.weir.processor.car;
