package io.runstone.session;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a session at one moment.
 *
 * @param key which one
 * @param createdAt when it was asked for
 * @param lastUsedAt when its last execution ended, or when it was created
 * @param running whether a cell runs
 * @param queued executions that wait
 * @param executions executions that ended
 * @param pid the host's id of the kernel's outermost process, once it runs
 */
public record SessionInfo(
    SessionKey key,
    Instant createdAt,
    Instant lastUsedAt,
    boolean running,
    int queued,
    long executions,
    Optional<Long> pid) {}
