package io.runstone.kernel;

import java.util.Optional;

/**
 * What an engine can do on this machine.
 *
 * @param available whether kernels can be started
 * @param sandbox the confinement in force, such as {@code bubblewrap}; "unavailable" if none
 * @param limits how a kernel's memory, processes and CPU are bounded, such as {@code cgroup v2}
 * @param python the interpreter's version, if there is one
 * @param detail a sentence for administrators
 * @param cure what to do when not available
 */
public record EngineStatus(
    boolean available,
    String sandbox,
    String limits,
    Optional<String> python,
    String detail,
    Optional<String> cure) {}
