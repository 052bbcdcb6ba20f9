package io.runstone.admin;

import io.runstone.security.UserId;
import io.runstone.upstream.broker.UpstreamControl;
import io.runstone.upstream.pool.SessionView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The MXBean over upstream servers. Thread-safe. */
final class UpstreamAdmin implements UpstreamMXBean {
  private final UpstreamControl upstream;

  UpstreamAdmin(UpstreamControl upstream) {
    this.upstream = upstream;
  }

  @Override
  public int getSessions() {
    return upstream.sessions().size();
  }

  @Override
  public int getRunningCalls() {
    return upstream.sessions().stream().mapToInt(SessionView::runningCalls).sum();
  }

  @Override
  public List<String> getServers() {
    return upstream.servers().stream().map(server -> server.name().value()).toList();
  }

  @Override
  public String getTrouble() {
    return upstream.trouble().orElse("");
  }

  @Override
  public List<UpstreamSessionSummary> listSessions() {
    return upstream.sessions().stream()
        .sorted(Comparator.comparing(SessionView::idle).reversed())
        .map(
            session ->
                new UpstreamSessionSummary(
                    session.user().value(),
                    session.server().value(),
                    session.owner(),
                    session.protocol(),
                    session.idle().toSeconds(),
                    session.runningCalls()))
        .toList();
  }

  @Override
  public void refresh() {
    upstream.refresh(Optional.empty());
  }

  @Override
  public int revokeServer(String server) {
    return upstream.revoke(Optional.empty(), Optional.empty(), server);
  }

  @Override
  public int revoke(String user, String server) {
    return upstream.revoke(Optional.empty(), Optional.of(new UserId(user)), server);
  }
}
