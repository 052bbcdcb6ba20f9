package io.runstone.upstream.oauth;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Where an authorization server gives tokens and takes them back. Immutable; nothing in it waits.
 *
 * @param trust certificates to trust; the JDK's if empty
 */
public record TokenEndpoint(OAuthHttp http, URI address, Optional<Path> trust) {
  private static final String FORM = "application/x-www-form-urlencoded";

  /** Asks for tokens; fails with an {@link OAuthException}. */
  public CompletionStage<TokenAnswer> ask(ClientIdentity client, Map<String, String> form) {
    return post(client, form)
        .thenApply(
            answer -> {
              if (answer.isGood()) {
                return TokenAnswer.of(answer.fields());
              }
              throw refusal(answer);
            });
  }

  /** Gives a token back (RFC 7009), to the endpoint for that. */
  CompletionStage<Void> revoke(ClientIdentity client, String token, String kind) {
    return post(client, Map.of("token", token, "token_type_hint", kind))
        .thenAccept(
            answer -> {
              if (!answer.isGood()) {
                throw refusal(answer);
              }
            });
  }

  private CompletionStage<OAuthHttp.Answer> post(
      ClientIdentity client, Map<String, String> fields) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    Map<String, String> form = new LinkedHashMap<>(fields);
    client.prove(request, form);
    return http.post(request, FORM, encoded(form), trust);
  }

  /** Only 4xx with an error's name is a refusal; anything else may be another the next time. */
  private static OAuthException refusal(OAuthHttp.Answer answer) {
    if (answer.status() >= 400 && answer.status() < 500) {
      Optional<String> code;
      try {
        code = answer.fields().text("error");
      } catch (OAuthException e) {
        code = Optional.empty();
      }
      if (code.isPresent()) {
        return OAuthException.refused(code.orElseThrow());
      }
    }
    return OAuthException.unusable("it answers with status " + answer.status());
  }

  /** An address with a query added to it. */
  public static URI link(URI page, Map<String, String> query) {
    return URI.create(page + (page.getRawQuery() == null ? "?" : "&") + encoded(query));
  }

  /** Names and values as a form has them. */
  private static String encoded(Map<String, String> form) {
    return form.entrySet().stream()
        .map(
            field ->
                URLEncoder.encode(field.getKey(), StandardCharsets.UTF_8)
                    + "="
                    + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }
}
