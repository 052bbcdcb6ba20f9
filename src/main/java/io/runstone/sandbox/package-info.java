/**
 * Runs a Python program in an operating system sandbox and hands out its two pipes.
 *
 * <p>{@link io.runstone.sandbox.SandboxProbe} finds by trying which {@link
 * io.runstone.sandbox.SandboxLevel} this machine offers; {@link
 * io.runstone.sandbox.SandboxLauncher} starts programs at that level. What a program sees is the
 * same on both confining levels and is described by {@link io.runstone.sandbox.SandboxView}. Where
 * the machine lets the server make control groups each sandbox is in one, with {@link
 * io.runstone.sandbox.ResourceLimits} for all of it together. This is the only package that starts
 * processes.
 */
@NullMarked
package io.runstone.sandbox;

import org.jspecify.annotations.NullMarked;
