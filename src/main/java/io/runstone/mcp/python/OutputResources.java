package io.runstone.mcp.python;

import io.runstone.kernel.ExecutionId;
import io.runstone.mcp.feature.ResourceData;
import io.runstone.mcp.feature.ResourceInfo;
import io.runstone.mcp.feature.ResourceTemplate;
import io.runstone.mcp.feature.Resources;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.session.OutputLink;
import io.runstone.session.SessionManager;
import io.runstone.session.StoredOutput;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The outputs of past executions as resources, {@code runstone://executions/…}. Thread-safe. */
public final class OutputResources implements Resources {
  private static final Pattern URI =
      Pattern.compile("runstone://executions/([0-9a-f-]{1,64})/outputs/([0-9]{1,6})");

  private final SessionManager sessions;

  /** The outputs that a session manager keeps. */
  public OutputResources(SessionManager sessions) {
    this.sessions = sessions;
  }

  @Override
  public Optional<Scope> scope() {
    return Optional.of(Scope.EXECUTE);
  }

  @Override
  public boolean isOne(String uri) {
    return uri.startsWith("runstone://executions/");
  }

  @Override
  public List<ResourceTemplate> templates() {
    return List.of(
        new ResourceTemplate(
            "runstone://executions/{execution_id}/outputs/{n}",
            "execution output",
            "Output of an execution",
            "An image, a table or the whole text that a result of execute_python_code links to."));
  }

  @Override
  public List<ResourceInfo> list(UserId user) {
    return sessions.outputLinks(user).stream().map(OutputResources::info).toList();
  }

  private static ResourceInfo info(OutputLink link) {
    return new ResourceInfo(
        link.uri(),
        link.name() + " " + link.number() + " of " + link.execution(),
        "Output of an execution; it goes when there are many newer ones.",
        link.mediaType(),
        OptionalLong.of(link.size()),
        "");
  }

  @Override
  public Optional<ResourceData> read(UserId user, String uri) throws IOException {
    Matcher matcher = URI.matcher(uri);
    Optional<StoredOutput> output =
        matcher.matches()
            ? sessions.output(
                user, new ExecutionId(matcher.group(1)), Integer.parseInt(matcher.group(2)))
            : Optional.empty();
    if (output.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = output.orElseThrow().open()) {
      return Optional.of(FileContents.read(uri, output.orElseThrow().mediaType(), in));
    }
  }
}
