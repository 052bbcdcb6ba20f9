package io.runstone.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Settings for tests: the defaults, and what a test sets. */
public final class TestSettings {
  private final Map<String, String> values = new HashMap<>();
  private final Path data;

  /** Settings whose data directory is that one. */
  public TestSettings(Path data) {
    this.data = data;
  }

  /** Sets a key. */
  public TestSettings with(String key, String value) {
    values.put(key, value);
    return this;
  }

  /** Reads them as a server would. */
  public Settings read() {
    return new SettingsReader(values::get, new SettingsReader.Defaults(data, System.getenv("PATH")))
        .read();
  }
}
