package io.runstone.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How users log in; one of four kinds. Immutable. */
public sealed interface AuthSettings {

  /**
   * Nobody logs in; everybody is the same user.
   *
   * @param fromTheNetwork whether that holds too for requests from other machines
   */
  record None(boolean fromTheNetwork) implements AuthSettings {}

  /**
   * Keys that an administrator gives out.
   *
   * @param file has a line for each key
   */
  record ApiKey(Path file) implements AuthSettings {}

  /**
   * Tokens of OAuth 2.1.
   *
   * @param issuers whose tokens are taken
   * @param resource what clients know this server as, without a slash at the end
   * @param audiences of which a token has to name one
   * @param algorithms of signatures, by their names in RFC 7518; asymmetric ones only
   * @param clockSkew how far an issuer's clock may be off
   * @param userClaim the claim that says who the user is
   * @param loginClient with whom browsers log in; they can't if empty
   */
  record Jwt(
      List<Issuer> issuers,
      URI resource,
      Set<String> audiences,
      Set<String> algorithms,
      Duration clockSkew,
      String userClaim,
      KeyTerms keys,
      Optional<LoginClient> loginClient)
      implements AuthSettings {
    public Jwt {
      issuers = List.copyOf(issuers);
      audiences = Set.copyOf(audiences);
      algorithms = Set.copyOf(algorithms);
    }
  }

  /**
   * This server as a client of the first issuer.
   *
   * @param secretFile its secret; none for a public client
   */
  record LoginClient(String id, Optional<Path> secretFile) {}

  /** What the server's own login says. */
  record Container() implements AuthSettings {}

  /**
   * Who signs tokens.
   *
   * @param name as tokens have it in {@code iss}
   * @param keys where its keys are; if empty its metadata says it
   */
  record Issuer(String name, Optional<URI> keys) {}

  /**
   * How the keys of an issuer are kept.
   *
   * @param refresh how old they get before new ones are fetched
   * @param lifetime how old they get when none can be fetched
   * @param cooldown the least time between two fetches
   */
  record KeyTerms(Duration refresh, Duration lifetime, Duration cooldown) {}
}
