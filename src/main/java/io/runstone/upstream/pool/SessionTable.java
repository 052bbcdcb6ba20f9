package io.runstone.upstream.pool;

import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.UpstreamException.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The sessions of a pool by their keys, within its bounds. The pool's lock guards it. */
final class SessionTable {
  private final Map<UpstreamKey, PooledSession> byKey = new HashMap<>();

  @Nullable PooledSession get(UpstreamKey key) {
    return byKey.get(key);
  }

  void put(PooledSession session) {
    byKey.put(session.key, session);
  }

  List<PooledSession> all() {
    return List.copyOf(byKey.values());
  }

  boolean isThere(PooledSession session) {
    return byKey.get(session.key) == session;
  }

  /** Takes a session out; it is used by nobody new from then on. */
  PooledSession remove(PooledSession session) {
    session.retired = true;
    byKey.remove(session.key, session);
    return session;
  }

  /** Lets a session serve everything of its user, unless one does already. */
  void share(PooledSession session) {
    UpstreamKey shared = session.key.shared();
    if (isThere(session) && !byKey.containsKey(shared)) {
      byKey.remove(session.key);
      session.key = shared;
      byKey.put(shared, session);
    }
  }

  /**
   * Makes room for one more, by taking out what is unused for longest.
   *
   * @return what was taken out, to be ended
   * @throws UpstreamException if everything is in use
   */
  List<PooledSession> makeRoom(UpstreamKey key, PoolLimits limits) {
    List<PooledSession> out = new ArrayList<>();
    Collection<PooledSession> all = byKey.values();
    try {
      take(all, each -> each.key.user().equals(key.user()), limits.perUser(), out, "you have");
      take(
          all,
          each -> each.key.server().equals(key.server()),
          limits.perServer(),
          out,
          key.server() + " has");
      take(all, each -> true, limits.total(), out, "this server has");
    } catch (UpstreamException e) {
      out.forEach(this::putBack);
      throw e;
    }
    return out;
  }

  private void putBack(PooledSession session) {
    session.retired = false;
    put(session);
  }

  private void take(
      Collection<PooledSession> all,
      Predicate<PooledSession> counted,
      int bound,
      List<PooledSession> out,
      String whose) {
    List<PooledSession> these = all.stream().filter(counted).toList();
    if (these.size() < bound) {
      return;
    }
    PooledSession oldest =
        these.stream()
            .filter(each -> each.uses == 0)
            .min(Comparator.comparingLong(each -> each.lastUsed))
            .orElseThrow(
                () ->
                    new UpstreamException(
                        Kind.LIMIT,
                        whose
                            + " "
                            + bound
                            + " sessions with upstream servers in use, which is the most there may"
                            + " be; try again when one of them is free"));
    out.add(remove(oldest));
  }
}
