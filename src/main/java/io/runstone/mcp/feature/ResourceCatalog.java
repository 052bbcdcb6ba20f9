package io.runstone.mcp.feature;

import io.runstone.security.Requester;
import io.runstone.security.Scope;
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

  /** What somebody has to be allowed to see a resource; nothing when empty. */
  public Optional<Scope> scope(String uri) {
    return kinds.stream().filter(kind -> kind.isOne(uri)).findFirst().flatMap(Resources::scope);
  }

  /** Every resource of a user. */
  List<ResourceInfo> all(UserId user) throws IOException {
    return all(user, kinds);
  }

  /** Every resource that somebody may see. */
  public List<ResourceInfo> all(Requester requester) throws IOException {
    return all(requester.user(), seen(requester));
  }

  private static List<ResourceInfo> all(UserId user, List<Resources> kinds) throws IOException {
    List<ResourceInfo> all = new ArrayList<>();
    for (Resources kind : kinds) {
      all.addAll(kind.list(user));
    }
    return all;
  }

  private List<Resources> seen(Requester requester) {
    return kinds.stream().filter(kind -> kind.scope().map(requester::may).orElse(true)).toList();
  }

  /** A page of the resources that somebody may see; the first without a cursor. */
  public Page<ResourceInfo> list(Requester requester, Optional<String> cursor)
      throws IOException, BadCursorException {
    return page(all(requester), cursor);
  }

  /** A page of the templates. */
  public Page<ResourceTemplate> templates(Optional<String> cursor) throws BadCursorException {
    return page(kinds.stream().flatMap(kind -> kind.templates().stream()).toList(), cursor);
  }

  /** Reads one; empty when there is none of that URI, or none that this requester may see. */
  public Optional<ResourceData> read(Requester requester, String uri) throws IOException {
    for (Resources kind : seen(requester)) {
      Optional<ResourceData> data = kind.read(requester.user(), uri);
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
