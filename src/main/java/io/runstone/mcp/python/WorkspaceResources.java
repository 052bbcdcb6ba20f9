package io.runstone.mcp.python;

import io.runstone.mcp.feature.ResourceData;
import io.runstone.mcp.feature.ResourceInfo;
import io.runstone.mcp.feature.ResourceTemplate;
import io.runstone.mcp.feature.Resources;
import io.runstone.security.Scope;
import io.runstone.security.UserId;
import io.runstone.workspace.WorkspaceFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLConnection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The files of a user's workspace as resources: {@code runstone://files/data.csv} is {@code
 * /app/uploads/data.csv}. Thread-safe.
 */
public final class WorkspaceResources implements Resources {
  private static final String PREFIX = "runstone://files/";
  private static final String UNKNOWN_TYPE = "application/octet-stream";

  private final WorkspaceFiles files;

  /** The files of all workspaces. */
  public WorkspaceResources(WorkspaceFiles files) {
    this.files = files;
  }

  @Override
  public Optional<Scope> scope() {
    return Optional.of(Scope.FILES);
  }

  @Override
  public boolean isOne(String uri) {
    return uri.startsWith(PREFIX);
  }

  @Override
  public List<ResourceTemplate> templates() {
    return List.of(
        new ResourceTemplate(
            PREFIX + "{+path}",
            "workspace file",
            "File of the workspace",
            "A file that your sessions see below /app/uploads; the path is relative to that."));
  }

  @Override
  public List<ResourceInfo> list(UserId user) throws IOException {
    return files.list(user).stream().map(WorkspaceResources::info).toList();
  }

  private static ResourceInfo info(WorkspaceFiles.Entry entry) {
    return new ResourceInfo(
        uri(entry.path()),
        entry.path(),
        "File /app/uploads/" + entry.path(),
        type(entry.path()),
        OptionalLong.of(entry.size()),
        entry.size() + " " + entry.modified());
  }

  @Override
  public Optional<ResourceData> read(UserId user, String uri) throws IOException {
    Optional<String> path = path(uri);
    if (path.isEmpty()) {
      return Optional.empty();
    }
    Optional<InputStream> file = files.open(user, path.orElseThrow());
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = file.orElseThrow()) {
      return Optional.of(FileContents.read(uri, type(path.orElseThrow()), in));
    }
  }

  /** What the name says it is. */
  private static String type(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return "text/csv";
    } else if (name.endsWith(".md")) {
      return "text/markdown";
    } else if (name.endsWith(".json")) {
      return "application/json";
    } else if (name.endsWith(".py") || name.endsWith(".log")) {
      return "text/plain";
    }
    return Optional.ofNullable(URLConnection.guessContentTypeFromName(name)).orElse(UNKNOWN_TYPE);
  }

  private static String uri(String path) {
    try {
      return "runstone://files" + new URI(null, null, "/" + path, null).toASCIIString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("every path can be encoded", e);
    }
  }

  private static Optional<String> path(String uri) {
    if (!uri.startsWith(PREFIX)) {
      return Optional.empty();
    }
    try {
      String path = new URI(uri.substring(PREFIX.length() - 1)).getPath();
      return Optional.ofNullable(path).map(text -> text.substring(1));
    } catch (URISyntaxException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
