package io.runstone.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * One request and its response, from the moment it no longer needs a container thread. Made by
 * {@link Exchanges#start}. Thread-safe, except that one party decides on the response.
 *
 * @param body completes with the request's body, or fails with an {@link java.io.IOException} of
 *     {@link RequestBody} or of the connection
 */
public record Exchange(
    HttpServletResponse response, ResponseStream stream, CompletionStage<byte[]> body) {

  /** Answers with a whole body, and ends the exchange. */
  public void answer(int status, String contentType, byte[] bytes, Map<String, String> headers) {
    response.setStatus(status);
    headers.forEach(response::setHeader);
    if (bytes.length > 0) {
      response.setContentType(contentType);
      response.setContentLength(bytes.length);
      stream.write(bytes);
    }
    stream.close();
  }

  /** Begins a body whose length is not known. */
  public ResponseStream begin(int status, String contentType, Map<String, String> headers) {
    response.setStatus(status);
    response.setContentType(contentType);
    headers.forEach(response::setHeader);
    return stream;
  }

  /**
   * Whether a request accepts a media type. RFC 9110 section 12.5.1, without weights: one without
   * the field accepts everything.
   */
  public static boolean accepts(HttpServletRequest request, String type) {
    return MediaRanges.of(request).accept(type);
  }

  /** Whether a request's body is of a media type. */
  public static boolean hasContentType(HttpServletRequest request, String type) {
    String value = request.getContentType();
    return value != null && MediaRanges.withoutParameters(value).equals(type);
  }
}
