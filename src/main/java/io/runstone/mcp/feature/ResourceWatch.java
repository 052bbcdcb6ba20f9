package io.runstone.mcp.feature;

import io.runstone.security.UserId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Finds out by looking now and then what changed among the resources of those users of whom a
 * client listens. Code in a sandbox tells nobody when it writes a file. Used by one thread at a
 * time.
 */
public final class ResourceWatch {
  private static final System.Logger LOG = System.getLogger(ResourceWatch.class.getName());

  private final ResourceCatalog catalog;
  private final Changes changes;
  private final Map<UserId, Map<String, String>> seen = new HashMap<>();

  /** Watches resources and publishes their changes. */
  public ResourceWatch(ResourceCatalog catalog, Changes changes) {
    this.catalog = catalog;
    this.changes = changes;
  }

  /** Looks once; may read files. */
  public void look() {
    Set<UserId> users = changes.users();
    seen.keySet().retainAll(users);
    for (UserId user : users) {
      try {
        look(user);
      } catch (IOException | RuntimeException e) {
        LOG.log(System.Logger.Level.DEBUG, "a user's resources can't be listed", e);
      }
    }
  }

  private void look(UserId user) throws IOException {
    Map<String, String> now = new HashMap<>();
    catalog.all(user).forEach(info -> now.put(info.uri(), info.version()));
    Map<String, String> before = seen.put(user, now);
    if (before == null) {
      return;
    }
    if (!before.keySet().equals(now.keySet())) {
      changes.publish(new Change.ResourceList(user));
    }
    now.forEach(
        (uri, version) -> {
          if (before.containsKey(uri) && !version.equals(before.get(uri))) {
            changes.publish(new Change.Resource(user, uri));
          }
        });
  }
}
