package io.runstone.mcp.feature;

import io.runstone.security.UserId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Passes changes on to the clients whose concern they are. Thread-safe. */
public final class Changes {
  private final Set<Registration> listeners = ConcurrentHashMap.newKeySet();

  /** One listener; closing it ends its listening. */
  public final class Registration implements AutoCloseable {
    private final UserId user;
    private final Consumer<Change> listener;

    private Registration(UserId user, Consumer<Change> listener) {
      this.user = user;
      this.listener = listener;
    }

    @Override
    public void close() {
      listeners.remove(this);
    }
  }

  /** Has a listener hear of what concerns a user; it must return at once. */
  public Registration listen(UserId user, Consumer<Change> listener) {
    Registration registration = new Registration(user, listener);
    listeners.add(registration);
    return registration;
  }

  /** Tells those whose concern it is. */
  public void publish(Change change) {
    for (Registration registration : listeners) {
      if (change.concerns().map(registration.user::equals).orElse(true)) {
        registration.listener.accept(change);
      }
    }
  }

  /** The users of whom somebody listens. */
  Set<UserId> users() {
    return listeners.stream().map(listener -> listener.user).collect(Collectors.toSet());
  }
}
