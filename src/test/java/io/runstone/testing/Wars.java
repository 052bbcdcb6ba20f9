package io.runstone.testing;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.Assertions;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The WAR that was built, for container tests. */
public final class Wars {
  private Wars() {}

  /** The WAR exactly as it is shipped. */
  public static WebArchive built() {
    return ShrinkWrap.createFromZipFile(
        WebArchive.class, Path.of(System.getProperty("runstone.war")).toFile());
  }

  /** The WAR with settings that differ from the defaults. */
  public static WebArchive with(Map<String, String> settings) {
    String lines =
        settings.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
            .collect(Collectors.joining());
    return built().addAsResource(new StringAsset(lines), "META-INF/microprofile-config.properties");
  }

  /** The WAR with a test class that runs inside, and what such a test needs. */
  public static WebArchive with(Class<?>... classes) {
    try {
      File assertj =
          Path.of(Assertions.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .toFile();
      return built().addClasses(classes).addAsLibrary(assertj);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
