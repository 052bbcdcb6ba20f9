package io.runstone.upstream.client;

import java.net.http.HttpHeaders;

/** An HTTP answer that came to its end. Immutable. */
record Reply(int status, HttpHeaders headers, Received received) {
  /** A header, or an empty text. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** Leaves everything else out, for it belongs in no log. */
  @Override
  public String toString() {
    return "Reply[" + status + "]";
  }
}
