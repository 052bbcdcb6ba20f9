package io.runstone.testing;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads an event stream while it comes. Closing it cuts the connection. Not thread-safe. */
public final class Events implements AutoCloseable {
  private final InputStream in;
  private final BufferedReader lines;

  /** Reads a body. */
  public Events(InputStream in) {
    this.in = in;
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** An event; id and data may be empty. */
  public record Event(String id, String data) {
    /** The message in it. */
    public JsonObject message() {
      try (var reader = Json.createReader(new StringReader(data))) {
        return reader.readObject();
      }
    }
  }

  /** The next event, or none when the stream has ended; comments are passed over. */
  public Optional<Event> next() throws IOException {
    String id = "";
    String data = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("data:")) {
        data = line.substring(5).strip();
      } else if (line.isEmpty() && data != null) {
        return Optional.of(new Event(id, data));
      }
    }
    return Optional.empty();
  }

  /** The next message; an event without one is passed over. */
  public JsonObject message() throws IOException {
    Event event = next().orElseThrow();
    return event.data().isEmpty() ? message() : event.message();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
