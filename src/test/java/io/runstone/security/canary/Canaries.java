package io.runstone.security.canary;

import io.runstone.testing.canary.Canary;
import java.util.ArrayList;
import java.util.List;

/** The secrets of one server and its users. Immutable. */
final class Canaries {
  final Canary environment = Canary.named("environment of the server");
  final Canary commandLine = Canary.named("system property on the command line");
  final Canary property = Canary.named("system property in a file");
  final Canary annasKey = Canary.named("key in Authorization");
  final Canary bertsKey = Canary.named("key in X-API-Key");
  final Canary cookie = Canary.named("cookie");
  final Canary refused = Canary.named("key that is refused");
  final Canary upstream = Canary.named("secret of the upstream server");
  final Canary session = Canary.named("session with the upstream server");

  /** As long as an AES key, and written in Base64. */
  final Canary vaultKey =
      new Canary("key of stored tokens", Canary.named("").text().substring(0, 32));

  /** No secret to administrators, but code has no use for it. */
  final Canary address = Canary.named("address of the upstream server");

  /** Where the test puts it, to see that it is found there. */
  final Canary control = Canary.named("control");

  /** What may be nowhere but in the server and in the files that it is read from. */
  List<Canary> secrets() {
    return List.of(
        environment,
        commandLine,
        property,
        annasKey,
        bertsKey,
        cookie,
        refused,
        upstream,
        session,
        vaultKey);
  }

  /** What may be nowhere that code sees. */
  List<Canary> hiddenFromCode() {
    List<Canary> all = new ArrayList<>(secrets());
    all.add(address);
    return all;
  }
}
