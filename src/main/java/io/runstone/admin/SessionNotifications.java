package io.runstone.admin;

import io.runstone.session.SessionEvent;
import io.runstone.session.SessionException;
import io.runstone.session.SessionKey;
import io.runstone.session.SessionListener;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;

/**
 * Tells administrators what happens to sessions, as JMX notifications of the session manager. Their
 * text never holds code or output. Thread-safe.
 *
 * <p>Kernels for one execution start and stop too often to be news; only their deaths and refusals
 * are told.
 */
final class SessionNotifications extends NotificationBroadcasterSupport implements SessionListener {
  static final String STARTED = "runstone.session.started";
  static final String STOPPED = "runstone.session.stopped";
  static final String KERNEL_DIED = "runstone.kernel.died";
  static final String LIMIT_REACHED = "runstone.limit.reached";

  private final AtomicLong sequence = new AtomicLong();

  SessionNotifications() {
    super(
        new MBeanNotificationInfo(
            new String[] {STARTED, STOPPED, KERNEL_DIED, LIMIT_REACHED},
            Notification.class.getName(),
            "What happened to a session; the user data is a map with user, id and reason"));
  }

  @Override
  public void onEvent(SessionEvent event) {
    notification(event).ifPresent(this::sendNotification);
  }

  private Optional<Notification> notification(SessionEvent event) {
    boolean oneShot = event.key() instanceof SessionKey.OneShot;
    if (event instanceof SessionEvent.KernelDied) {
      return about(event, KERNEL_DIED, "lost its Python process", "");
    } else if (event instanceof SessionEvent.LimitReached limit) {
      return about(event, LIMIT_REACHED, refusal(limit.limit()), limit.limit().name());
    } else if (event instanceof SessionEvent.Started && !oneShot) {
      return about(event, STARTED, "started", "");
    } else if (event instanceof SessionEvent.Stopped stopped && !oneShot) {
      return about(event, STOPPED, "stopped: " + stopped.reason().name(), stopped.reason().name());
    }
    return Optional.empty();
  }

  private static String refusal(SessionException.Category limit) {
    return limit == SessionException.Category.USER_LIMIT
        ? "was refused: the user has SessionsPerUser sessions"
        : "was refused: the server runs SessionsPerNode kernels";
  }

  private Optional<Notification> about(
      SessionEvent event, String type, String what, String reason) {
    String user = event.key().user().value();
    String id = SessionNames.id(event.key());
    Notification notification =
        new Notification(
            type,
            SessionNames.MANAGER,
            sequence.incrementAndGet(),
            "session " + id + " of " + user + " " + what);
    // A JDK class, so that clients need none of this application.
    notification.setUserData(new TreeMap<>(Map.of("user", user, "id", id, "reason", reason)));
    return Optional.of(notification);
  }
}
