/**
 * The base of all options classes: each option is declared once, as an {@link
 * dev.weir.options.Option} of an {@link dev.weir.options.OptionSet}. And the budget of bytes on
 * which options that bound memory draw: {@link dev.weir.options.HeapBudget}. The package uses the
 * JDK only, so that every module can build on it.
 */
package dev.weir.options;
