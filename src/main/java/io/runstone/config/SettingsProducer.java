package io.runstone.config;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Reads the settings once, when the first bean asks for them. */
@ApplicationScoped
class SettingsProducer {

  @Produces
  @Singleton
  Settings settings() {
    Config config = ConfigProvider.getConfig();
    return new SettingsReader(
            key -> config.getOptionalValue(key, String.class).orElse(null), defaults())
        .read();
  }

  /** A system service keeps its data below /var/lib, anyone else below the home directory. */
  private static SettingsReader.Defaults defaults() {
    String user = System.getProperty("user.name", "");
    Path data =
        "root".equals(user)
            ? Path.of("/var/lib/runstone")
            : Optional.ofNullable(System.getenv("XDG_STATE_HOME"))
                .map(Path::of)
                .filter(Path::isAbsolute)
                .orElse(Path.of(System.getProperty("user.home", "/"), ".local", "state"))
                .resolve("runstone");
    return new SettingsReader.Defaults(
        data, Optional.ofNullable(System.getenv("PATH")).orElse("/usr/local/bin:/usr/bin:/bin"));
  }
}
