/**
 * Runs a service with its gateway as a program: options from a file, the environment, system
 * properties and flags; a cluster if asked; an orderly stop. Start at {@link
 * dev.weir.launcher.Launcher}.
 */
package dev.weir.launcher;
