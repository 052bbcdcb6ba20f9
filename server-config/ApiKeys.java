import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Gives out API keys, and takes them back, in one file and with nothing but a JDK; the guide on
 * login shows how. The server sees a change of the file at once.
 *
 * <pre>{@code
 * java ApiKeys.java FILE mint USER [SCOPE,SCOPE]
 * java ApiKeys.java FILE list
 * java ApiKeys.java FILE revoke ID
 * }</pre>
 */
public final class ApiKeys {
  private static final Set<String> SCOPES = Set.of("execute", "sessions", "files", "upstream", "admin");
  private static final Pattern ONE_UPSTREAM = Pattern.compile("upstream:[a-z][a-z0-9_]{0,31}");
  private static final String USUAL = "execute,sessions,files,upstream";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path file;
  private final PrintStream out;

  ApiKeys(Path file, PrintStream out) {
    this.file = file;
    this.out = out;
  }

  /** Runs one command; exits with 1 if it fails and with 2 if it is none. */
  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println("usage: ApiKeys FILE mint USER [SCOPE,SCOPE]|list|revoke ID");
      System.exit(2);
    }
    try {
      Path path = Path.of(args[0]);
      ApiKeys keys = new ApiKeys(Files.exists(path) ? path.toRealPath() : path, System.out);
      keys.run(Arrays.asList(args).subList(1, args.length));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    }
  }

  void run(List<String> command) throws IOException, NoSuchAlgorithmException {
    String name = command.get(0);
    if (name.equals("mint") && (command.size() == 2 || command.size() == 3)) {
      mint(command.get(1), command.size() == 3 ? command.get(2) : USUAL);
    } else if (name.equals("list") && command.size() == 1) {
      list();
    } else if (name.equals("revoke") && command.size() == 2) {
      revoke(command.get(1));
    } else {
      throw new IllegalArgumentException(
          "unknown command; mint USER [SCOPE,SCOPE], list, or revoke ID");
    }
  }

  private void mint(String user, String scopes) throws IOException, NoSuchAlgorithmException {
    if (!user.matches("[^\\s\\p{Cntrl}]{1,128}")) {
      throw new IllegalArgumentException("a user's name has 1 to 128 characters and no blanks");
    }
    String id = HexFormat.of().formatHex(random(6));
    String key = "rsk_" + id + "_" + base64(random(32));
    byte[] salt = random(16);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(salt);
    String hash = base64(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
    String created = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    List<String> lines = read();
    lines.add(
        String.join(
            " ", id, user, labels(scopes), created, "sha256:" + base64(salt) + ":" + hash));
    write(lines);
    System.err.println("The key of " + user + "; it is shown this once:");
    out.println(key);
  }

  private static String labels(String scopes) {
    List<String> labels = new ArrayList<>();
    for (String scope : scopes.split(",")) {
      String name = scope.strip().replaceFirst("^runstone:", "");
      if (!SCOPES.contains(name) && !ONE_UPSTREAM.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "there is no scope "
                + scope
                + "; there are execute, sessions, files, upstream, upstream:<server> and admin");
      }
      labels.add("runstone:" + name);
    }
    return String.join(",", labels);
  }

  private void list() throws IOException {
    out.printf("%-12s  %-20s  %-20s  %s%n", "id", "user", "created", "scopes");
    for (String line : read()) {
      String[] fields = line.split("\\s+");
      if (!line.startsWith("#") && fields.length == 5) {
        out.printf("%-12s  %-20s  %-20s  %s%n", fields[0], fields[1], fields[3], fields[2]);
      }
    }
  }

  private void revoke(String id) throws IOException {
    List<String> lines = read();
    if (!lines.removeIf(line -> line.split("\\s+")[0].equals(id))) {
      throw new IllegalArgumentException("there is no key with this id; list shows them");
    }
    write(lines);
    out.println("revoked " + id);
  }

  private List<String> read() throws IOException {
    return Files.exists(file)
        ? new ArrayList<>(Files.readAllLines(file, StandardCharsets.UTF_8))
        : new ArrayList<>(
            List.of("# Keys of Runstone, written by ApiKeys.java: id user scopes created hash"));
  }

  /** In one step, so that the server never sees half a file; owner and rights stay. */
  private void write(List<String> lines) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path draft = Files.createTempFile(directory, ".api-keys", ".new"); // only its owner may read it
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

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
