package io.runstone.security.jwt;

import com.nimbusds.jwt.JWTClaimsSet;
import io.runstone.config.AuthSettings;
import io.runstone.security.Requester;
import io.runstone.security.Scope;
import io.runstone.security.SubjectToken;
import io.runstone.security.UserId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a token that was checked says of its user. Pure. */
final class TokenClaims {
  private static final int MAX_CLIENT = 256;

  private TokenClaims() {}

  /**
   * Who sends a request with this token.
   *
   * @throws TokenCheck.BadTokenException if it names nobody
   */
  static Requester requester(
      JWTClaimsSet claims, AuthSettings.Jwt settings, String address, SubjectToken token)
      throws TokenCheck.BadTokenException {
    List<String> scopes = scopes(claims);
    return new Requester(
        user(claims, settings),
        Scope.allOf(scopes),
        client(claims),
        address,
        Scope.upstreamsOf(scopes),
        Optional.of(token));
  }

  /** The user, who has the same name in every token of an issuer. */
  static UserId user(JWTClaimsSet claims, AuthSettings.Jwt settings)
      throws TokenCheck.BadTokenException {
    if (!(claims.getClaim(settings.userClaim()) instanceof String name) || name.isBlank()) {
      throw new TokenCheck.BadTokenException("the token does not say who its user is");
    }
    // Two issuers may give the same name to two people; no issuer's URL has a # in it.
    String user = settings.issuers().size() > 1 ? claims.getIssuer() + "#" + name : name;
    if (!UserId.isOne(user)) {
      throw new TokenCheck.BadTokenException("the name of the token's user can not be used");
    }
    return new UserId(user);
  }

  /** RFC 8693 has a text with spaces; some issuers write a list, and some name it {@code scp}. */
  private static List<String> scopes(JWTClaimsSet claims) {
    return Stream.of("scope", "scp").flatMap(name -> words(claims.getClaim(name))).toList();
  }

  private static Stream<String> words(@Nullable Object claim) {
    if (claim instanceof String text) {
      return Stream.of(text.split(" ", -1));
    } else if (claim instanceof Collection<?> list) {
      return list.stream().map(String::valueOf);
    }
    return Stream.empty();
  }

  private static String client(JWTClaimsSet claims) {
    return List.of("client_id", "azp").stream()
        .map(claims::getClaim)
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .filter(id -> id.length() <= MAX_CLIENT && id.chars().noneMatch(Character::isISOControl))
        .findFirst()
        .orElse("");
  }
}
