package io.runstone.upstream.credential;

import static io.runstone.upstream.UpstreamException.Kind.FORBIDDEN;

import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamException;
import io.runstone.upstream.oauth.ClientDocument;
import java.net.URI;
import java.util.Optional;

/**
 * Where users connect servers in a browser. Immutable.
 *
 * @param base where clients reach this server, without a slash at the end
 */
record ConsentLinks(Optional<String> base) {
  /** The page. */
  static final String PAGE = "/connections";

  /** The page, at a server. */
  Optional<URI> page(ServerName server) {
    return base.map(url -> URI.create(url + PAGE + "?server=" + server));
  }

  /** Where authorization servers send browsers back to. */
  Optional<URI> callback() {
    return base.map(url -> URI.create(url + PAGE + "/callback"));
  }

  /** What authorization servers may read about this server. */
  Optional<ClientDocument> document() {
    return callback().map(redirect -> new ClientDocument(base.orElseThrow(), redirect));
  }

  /** What a caller gets who has to go there first. */
  UpstreamException needed(UpstreamException.Kind kind, String message, ServerName server) {
    return page(server)
        .map(link -> UpstreamException.consent(kind, message + " " + link, link))
        .orElseGet(
            () ->
                new UpstreamException(
                    FORBIDDEN,
                    server
                        + " has to be connected in a browser, and this server does not know its own"
                        + " address; the administrator has to set runstone.base-url"));
  }
}
