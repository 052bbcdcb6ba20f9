package io.runstone.session;

import io.runstone.kernel.ExecuteRequest;
import io.runstone.kernel.OutputListener;

/**
 * A cell on its way into a session.
 *
 * @param request what to run
 * @param output hears what it puts out
 * @param admission has a say before it is run
 */
record Submission(ExecuteRequest request, OutputListener output, Admission admission) {}
