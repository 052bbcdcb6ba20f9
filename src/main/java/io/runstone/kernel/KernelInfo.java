package io.runstone.kernel;

/**
 * Facts about a kernel.
 *
 * @param pid the host's id of its outermost process
 * @param python the version of the interpreter
 */
public record KernelInfo(long pid, String python) {}
