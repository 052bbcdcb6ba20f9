package io.runstone.security.audit;

import java.util.Locale;

/** Whether decisions are audited. */
public enum AuditState {
  /** Lines get into the file. */
  OK,
  /** Lines can't be written now; it is tried again every second. */
  FAILING,
  /** The administrator wants no audit. */
  OFF;

  /** The word for it in health and JMX. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
