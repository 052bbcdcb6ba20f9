package io.runstone.session;

import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.HostCalls;
import io.runstone.kernel.OutputListener;
import java.util.function.Function;

/**
 * A cell on its way into a session.
 *
 * @param request what to run
 * @param output hears what it puts out
 * @param admission has a say before it is run
 * @param calls what it may call, once it is known where it runs
 */
record Submission(
    ExecuteRequest request,
    OutputListener output,
    Admission admission,
    Function<SessionKey, HostCalls> calls) {}
