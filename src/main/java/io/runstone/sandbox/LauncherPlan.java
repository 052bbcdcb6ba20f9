package io.runstone.sandbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code launcher.py} has to do; immutable.
 *
 * @param level namespaces or none
 * @param parent process id of this server, with which the sandbox ends
 * @param drop user and group id to become, empty to stay
 * @param staging directories to make reachable before that
 * @param steps of the view; none at level none
 * @param filter the compiled system call filter in Base64; empty at level none
 * @param directory the working directory
 * @param program what to run
 */
record LauncherPlan(
    SandboxLevel level,
    long parent,
    List<Long> drop,
    List<Staging.Move> staging,
    List<ViewStep> steps,
    String filter,
    Path directory,
    Path program) {
  LauncherPlan {
    drop = List.copyOf(drop);
    staging = List.copyOf(staging);
    steps = List.copyOf(steps);
  }

  /** Length, four bytes, big-endian, and JSON. */
  byte[] frame() {
    byte[] body = json().getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
  }

  private String json() {
    Map<String, Object> plan = new LinkedHashMap<>();
    plan.put("level", level.label());
    plan.put("parent", parent);
    plan.put("drop", drop);
    plan.put("stage", staging.stream().map(LauncherPlan::pair).toList());
    plan.put("steps", steps.stream().map(LauncherPlan::step).toList());
    plan.put("hostname", SandboxView.HOST_NAME);
    plan.put("uid", SandboxView.UID);
    plan.put("gid", SandboxView.GID);
    plan.put("seccomp", filter);
    plan.put("directory", directory.toString());
    plan.put("program", program.toString());
    return Json.text(plan);
  }

  private static List<Object> pair(Staging.Move move) {
    return List.of(move.from().toString(), move.to().toString());
  }

  private static List<Object> step(ViewStep step) {
    String at = step.at().toString();
    if (step instanceof ViewStep.Link link) {
      return List.of("symlink", at, link.target().toString());
    } else if (step instanceof ViewStep.Bind bind) {
      return List.of(bind.writable() ? "bind" : "ro-bind", at, bind.source().toString());
    } else if (step instanceof ViewStep.Memory memory) {
      return List.of("tmpfs", at, memory.bytes(), memory.mode());
    } else if (step instanceof ViewStep.Text text) {
      return List.of("text", at, text.content());
    } else if (step instanceof ViewStep.Processes) {
      return List.of("proc", at);
    } else if (step instanceof ViewStep.Devices) {
      return List.of("dev", at);
    } else {
      return List.of("freeze", at);
    }
  }
}
