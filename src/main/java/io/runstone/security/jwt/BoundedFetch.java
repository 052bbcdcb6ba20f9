package io.runstone.security.jwt;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Fetches a JSON object from an issuer that may be down, slow or hostile: what it may take in time
 * and memory is bounded, and it can't send this server anywhere else. Immutable.
 */
final class BoundedFetch {
  private static final int TIMEOUT_MILLIS = 2000;
  private static final int MAX_BYTES = 256 * 1024;

  /** One that sends a byte now and then would never run into the timeout of a read. */
  private static final int WHOLE_MILLIS = 4000;

  private final ScheduledExecutorService timer;

  BoundedFetch(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /** A fetch without success; the reason is in our own words, with nothing of the answer. */
  static class FetchException extends IOException {
    private static final long serialVersionUID = 1L;

    FetchException(String reason) {
      super(reason);
    }
  }

  /** The issuer answered, but has nothing there. */
  static final class AbsentException extends FetchException {
    private static final long serialVersionUID = 1L;

    AbsentException() {
      super("it has nothing at this address");
    }
  }

  /**
   * Fetches.
   *
   * @throws FetchException if that fails for any reason
   */
  Map<String, Object> json(URI uri) throws FetchException {
    checkProtected(uri);
    HttpURLConnection connection = open(uri);
    Future<?> end = timer.schedule(connection::disconnect, WHOLE_MILLIS, TimeUnit.MILLISECONDS);
    try {
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      connection.setInstanceFollowRedirects(false);
      connection.setUseCaches(false);
      connection.setRequestProperty("Accept", "application/json");
      int status = connection.getResponseCode();
      if (status == HttpURLConnection.HTTP_NOT_FOUND) {
        throw new AbsentException();
      } else if (status != HttpURLConnection.HTTP_OK) {
        throw new FetchException("it answers with status " + status);
      }
      try (InputStream in = connection.getInputStream()) {
        return JSONObjectUtils.parse(read(in));
      }
    } catch (ParseException e) {
      throw new FetchException("its answer is not a JSON object");
    } catch (FetchException e) {
      throw e;
    } catch (IOException e) {
      throw new FetchException(
          end.isDone() ? "its answer takes too long" : e.getClass().getSimpleName());
    } finally {
      end.cancel(false);
      connection.disconnect();
    }
  }

  private static HttpURLConnection open(URI uri) throws FetchException {
    try {
      return (HttpURLConnection) uri.toURL().openConnection();
    } catch (IOException e) {
      throw new FetchException("its address can't be used");
    }
  }

  /** Keys that came in the clear could be anybody's; loopback has no network to protect from. */
  static void checkProtected(URI uri) throws FetchException {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    boolean local =
        Set.of("localhost", "127.0.0.1", "[::1]").contains(String.valueOf(uri.getHost()));
    if (uri.getHost() == null || !(scheme.equals("https") || (local && scheme.equals("http")))) {
      throw new FetchException("it names an address that is not https");
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[8192];
    int count = in.read(part);
    while (count >= 0) {
      all.write(part, 0, count);
      if (all.size() > MAX_BYTES) {
        throw new FetchException("its answer is larger than " + MAX_BYTES + " bytes");
      }
      count = in.read(part);
    }
    return all.toString(StandardCharsets.UTF_8);
  }
}
