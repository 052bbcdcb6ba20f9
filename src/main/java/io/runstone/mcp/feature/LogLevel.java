package io.runstone.mcp.feature;

import java.util.Locale;

/** How important a log message to a client is, RFC 5424, least first; immutable. */
public enum LogLevel {
  DEBUG,
  INFO,
  NOTICE,
  WARNING,
  ERROR,
  CRITICAL,
  ALERT,
  EMERGENCY;

  /** The level's name on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
