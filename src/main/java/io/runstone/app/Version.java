package io.runstone.app;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;

/** The version of this build, which Maven writes into a file. Stateless. */
final class Version {
  private Version() {}

  static String current() {
    try (InputStream in = Version.class.getResourceAsStream("/io/runstone/version.properties")) {
      Properties properties = new Properties();
      properties.load(Objects.requireNonNull(in));
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new IllegalStateException("the WAR has no version", e);
    }
  }
}
