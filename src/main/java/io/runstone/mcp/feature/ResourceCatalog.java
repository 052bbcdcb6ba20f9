package io.runstone.mcp.feature;

import io.runstone.security.UserId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** All kinds of resources together, in pages. Immutable and thread-safe. */
public final class ResourceCatalog {
  private static final int PAGE = 100;

  private final List<Resources> kinds;

  /** Joins kinds; they are listed in this order. */
  public ResourceCatalog(List<Resources> kinds) {
    this.kinds = List.copyOf(kinds);
  }

  /**
   * A page of a list.
   *
   * @param next where the next page begins; empty on the last
   */
  public record Page<T>(List<T> items, Optional<String> next) {
    public Page {
      items = List.copyOf(items);
    }

    /** The same page of something else. */
    public <R> Page<R> map(Function<? super T, ? extends R> mapping) {
      return new Page<>(items.stream().<R>map(mapping).toList(), next);
    }
  }

  /** A cursor that no page gave; to be answered as invalid parameters. */
  public static final class BadCursorException extends Exception {
    private static final long serialVersionUID = 1L;

    BadCursorException() {
      super("this cursor did not come from this server; list from the beginning");
    }
  }

  /** Every resource of a user. */
  public List<ResourceInfo> all(UserId user) throws IOException {
    List<ResourceInfo> all = new ArrayList<>();
    for (Resources kind : kinds) {
      all.addAll(kind.list(user));
    }
    return all;
  }

  /** A page of a user's resources; the first without a cursor. */
  public Page<ResourceInfo> list(UserId user, Optional<String> cursor)
      throws IOException, BadCursorException {
    return page(all(user), cursor);
  }

  /** A page of the templates. */
  public Page<ResourceTemplate> templates(Optional<String> cursor) throws BadCursorException {
    return page(kinds.stream().flatMap(kind -> kind.templates().stream()).toList(), cursor);
  }

  /** Reads one; empty when this user has none of that URI. */
  public Optional<ResourceData> read(UserId user, String uri) throws IOException {
    for (Resources kind : kinds) {
      Optional<ResourceData> data = kind.read(user, uri);
      if (data.isPresent()) {
        return data;
      }
    }
    return Optional.empty();
  }

  private static <T> Page<T> page(List<T> all, Optional<String> cursor) throws BadCursorException {
    int start = cursor.isPresent() ? offset(cursor.orElseThrow()) : 0;
    if (start == 0 && all.isEmpty()) {
      return new Page<>(all, Optional.empty());
    }
    int from = Math.min(start, all.size()); // the list may have become shorter
    int to = Math.min(from + PAGE, all.size());
    return new Page<>(
        all.subList(from, to), to < all.size() ? Optional.of(cursor(to)) : Optional.empty());
  }

  private static String cursor(int offset) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(("from:" + offset).getBytes(StandardCharsets.US_ASCII));
  }

  private static int offset(String cursor) throws BadCursorException {
    try {
      String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
      if (text.matches("from:[0-9]{1,9}")) {
        return Integer.parseInt(text.substring("from:".length()));
      }
    } catch (IllegalArgumentException e) {
      // not base64: the same as any other text
    }
    throw new BadCursorException();
  }
}
