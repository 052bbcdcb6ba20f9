package io.runstone.kernel;

/**
 * Something that code in a kernel asks its host for.
 *
 * @param body JSON text, not checked
 * @param cancellation says when the code does not want the answer any more, or has ended
 */
public record HostCall(HostMethod method, String body, Cancellation cancellation) {
  /** Leaves the body out, for it belongs in no log. */
  @Override
  public String toString() {
    return "HostCall[" + method + ", " + body.length() + " characters]";
  }
}
