import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Makes the keys that users' tokens for upstream servers are encrypted with, in one file and with
 * nothing but a JDK; the guide on upstream logins shows how. The server sees a change at once.
 *
 * <pre>{@code
 * java UpstreamKeys.java FILE add
 * java UpstreamKeys.java FILE list
 * java UpstreamKeys.java FILE remove ID
 * }</pre>
 */
public final class UpstreamKeys {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path file;

  private UpstreamKeys(Path file) {
    this.file = file;
  }

  /** Runs one command; exits with 1 if it fails and with 2 if it is none. */
  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println("usage: UpstreamKeys FILE add|list|remove ID");
      System.exit(2);
    }
    try {
      Path path = Path.of(args[0]);
      UpstreamKeys keys = new UpstreamKeys(Files.exists(path) ? path.toRealPath() : path);
      keys.run(Arrays.asList(args).subList(1, args.length));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    }
  }

  private void run(List<String> command) throws IOException {
    List<String> lines = read();
    if (command.equals(List.of("add"))) {
      String id = LocalDate.now(ZoneOffset.UTC) + "-" + HexFormat.of().formatHex(random(3));
      lines.add(0, id + " " + Base64.getEncoder().encodeToString(random(32)));
      write(lines);
      System.out.println("added " + id + "; from now on it encrypts");
    } else if (command.equals(List.of("list"))) {
      ids(lines).forEach(System.out::println);
    } else if (command.size() == 2 && command.get(0).equals("remove")) {
      remove(lines, command.get(1));
    } else {
      throw new IllegalArgumentException("unknown command; add, list, or remove ID");
    }
  }

  private void remove(List<String> lines, String id) throws IOException {
    List<String> ids = ids(lines);
    if (!ids.contains(id)) {
      throw new IllegalArgumentException("there is no key with this id; list shows them");
    } else if (ids.size() == 1) {
      throw new IllegalArgumentException("this is the only key; add another first");
    }
    lines.removeIf(line -> line.strip().split("\\s+")[0].equals(id));
    write(lines);
    System.out.println("removed " + id + "; who has tokens under it has to connect again");
  }

  private static List<String> ids(List<String> lines) {
    return lines.stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(line -> line.split("\\s+")[0])
        .toList();
  }

  private List<String> read() throws IOException {
    return Files.exists(file)
        ? new ArrayList<>(Files.readAllLines(file, StandardCharsets.UTF_8))
        : new ArrayList<>();
  }

  /** In one step, so that the server never sees half a file; owner and rights stay. */
  private void write(List<String> lines) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path draft = Files.createTempFile(directory, ".keys", ".new"); // only its owner may read it
    try {
      Files.write(draft, lines, StandardCharsets.UTF_8);
      PosixFileAttributeView view =
          Files.getFileAttributeView(draft, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (view != null && Files.exists(file)) {
        PosixFileAttributes old = Files.readAttributes(file, PosixFileAttributes.class);
        PosixFileAttributes now = view.readAttributes();
        if (!old.owner().equals(now.owner()) || !old.group().equals(now.group())) {
          view.setOwner(old.owner());
          view.setGroup(old.group());
        }
        view.setPermissions(old.permissions());
      } else if (view != null) {
        view.setPermissions(PosixFilePermissions.fromString("rw-------"));
        System.err.println("Made " + file + "; the server's user has to be able to read it.");
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }
}
