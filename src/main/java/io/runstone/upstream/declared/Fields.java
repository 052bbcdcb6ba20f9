package io.runstone.upstream.declared;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The members of an object in a declaration, checked as they are read. Members that nobody read are
 * an error, for a misspelled one must not be ignored. Not thread-safe.
 */
final class Fields {
  private final String where;
  private final JsonNode node;
  private final Set<String> read = new HashSet<>();

  Fields(String where, JsonNode node) throws BadDeclarationException {
    if (!node.isObject()) {
      throw new BadDeclarationException(where, "expected an object");
    }
    this.where = where;
    this.node = node;
  }

  /** Where a member is, as a JSON pointer (RFC 6901). */
  String at(String name) {
    return where + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  BadDeclarationException bad(String name, String expected) {
    return new BadDeclarationException(at(name), expected);
  }

  Set<Map.Entry<String, JsonNode>> all() {
    return node.properties();
  }

  Optional<JsonNode> member(String name) {
    read.add(name);
    return node.optional(name).filter(value -> !value.isNull());
  }

  Optional<String> text(String name) throws BadDeclarationException {
    Optional<JsonNode> value = member(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    String text = value.orElseThrow().isString() ? value.orElseThrow().asString() : "";
    if (text.isBlank()) {
      throw bad(name, "expected a text that is not empty");
    }
    return Optional.of(text);
  }

  String requiredText(String name) throws BadDeclarationException {
    return text(name).orElseThrow(() -> bad(name, "is missing; expected a text"));
  }

  boolean flag(String name) throws BadDeclarationException {
    Optional<JsonNode> value = member(name);
    if (value.isPresent() && !value.orElseThrow().isBoolean()) {
      throw bad(name, "expected true or false");
    }
    return value.isPresent() && value.orElseThrow().asBoolean();
  }

  Optional<Path> path(String name) throws BadDeclarationException {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Path path = Path.of(text.orElseThrow());
      if (path.isAbsolute()) {
        return Optional.of(path.normalize());
      }
    } catch (InvalidPathException e) {
      throw bad(name, "expected an absolute path");
    }
    throw bad(name, "expected an absolute path");
  }

  List<String> texts(String name) throws BadDeclarationException {
    Optional<JsonNode> value = member(name);
    if (value.isEmpty()) {
      return List.of();
    }
    Set<String> texts = new LinkedHashSet<>();
    if (value.orElseThrow().isArray()) {
      for (JsonNode each : value.orElseThrow()) {
        if (!each.isString() || each.asString().isBlank()) {
          throw bad(name, "expected a list of texts that are not empty");
        }
        texts.add(each.asString());
      }
      return List.copyOf(texts);
    }
    throw bad(name, "expected a list of texts");
  }

  /** Ends the reading. */
  void checkAllRead() throws BadDeclarationException {
    for (String name : node.propertyNames()) {
      if (!read.contains(name)) {
        throw bad(
            name, "is not known; known are " + String.join(", ", read.stream().sorted().toList()));
      }
    }
  }
}
