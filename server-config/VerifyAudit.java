import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that nobody changed, removed or added a line of an audit log. One file that needs a JDK
 * and nothing else:
 *
 * <pre>{@code
 * java VerifyAudit.java /var/lib/runstone/audit/audit.log*
 * java VerifyAudit.java --has HASH /var/lib/runstone/audit/audit.log*
 * }</pre>
 *
 * The order of the files does not matter. {@code --has} asks for a line with that hash besides,
 * such as the last of an earlier check: so an end that was cut off, or a whole log that was written
 * anew, is noticed. Exits with 0 if all is as it was written, with 1 and the first break if not,
 * and with 2 if it can't tell.
 */
public final class VerifyAudit {
  private static final Pattern LINE =
      Pattern.compile(
          "(\\{\"sequence\":([0-9]{1,18}),.*\"previous\":\"([0-9a-f]{64})\"),\"hash\":\"([0-9a-f]{64})\"}");
  private static final String NO_HASH = "0".repeat(64);

  private final PrintStream out;
  private final String wanted;
  private boolean found;
  private long lines;
  private long first;
  private long sequence;
  private String hash = "";

  private VerifyAudit(PrintStream out, String wanted) {
    this.out = out;
    this.wanted = wanted;
    this.found = wanted.isEmpty();
  }

  /** Checks the files that are named. */
  public static void main(String[] args) {
    System.exit(run(args, System.out));
  }

  /** Does the same without ending the process, and returns its exit code. */
  public static int run(String[] args, PrintStream out) {
    boolean has = args.length > 0 && args[0].equals("--has");
    List<String> names = List.of(args).subList(has ? Math.min(2, args.length) : 0, args.length);
    if (names.isEmpty()) {
      out.println("usage: java VerifyAudit.java [--has HASH] FILE...");
      return 2;
    }
    try {
      return new VerifyAudit(out, has ? args[1] : "").check(names);
    } catch (IOException e) {
      out.println("can't be read: " + e);
      return 2;
    }
  }

  /** A file, and the number of its first line. */
  private record Part(Path file, long first) {}

  private int check(List<String> names) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (String name : names) {
      Path file = Path.of(name);
      if (Files.size(file) > 0) { // a file that was begun by a rotation
        parts.add(new Part(file, firstSequence(file)));
      }
    }
    parts.sort(Comparator.comparingLong(Part::first));
    for (Part part : parts) {
      if (!isWhole(part.file())) {
        return 1;
      }
    }
    out.println(lines + " lines are as they were written");
    if (lines > 0) {
      out.println(
          "from " + first + (first == 1 ? ", the first of this log," : "") + " to " + sequence);
      out.println("last hash: " + hash);
    }
    if (!found) {
      out.println("BROKEN: there is no line with the hash " + wanted);
      return 1;
    }
    return 0;
  }

  private static long firstSequence(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      Matcher line = LINE.matcher(String.valueOf(reader.readLine()));
      return line.matches() ? Long.parseLong(line.group(2)) : Long.MAX_VALUE;
    }
  }

  private boolean isWhole(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      long number = 0;
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        number++;
        String wrong = wrong(text);
        if (!wrong.isEmpty()) {
          out.println(lines + " lines are as they were written");
          out.println("BROKEN: " + file + " line " + number + ": " + wrong);
          return false;
        }
      }
    }
    if (!endsWithNewline(file)) {
      out.println("BROKEN: " + file + ": the last line has no end");
      return false;
    }
    return true;
  }

  /** What is wrong with the next line; empty if nothing is. */
  private String wrong(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.matches()) {
      return "this is no whole line of an audit log";
    } else if (!sha256(line.group(1) + "}").equals(line.group(4))) {
      return "this line was changed";
    }
    long number = Long.parseLong(line.group(2));
    String previous = line.group(3);
    if (lines == 0) {
      first = number;
      if (number == 1 && !previous.equals(NO_HASH)) {
        return "this is not the first line, though its number is 1";
      }
    } else if (number != sequence + 1) {
      return "number "
          + number
          + " follows "
          + sequence
          + ": lines were removed or added before it";
    } else if (!previous.equals(hash)) {
      return "the line before this one was changed, removed or added";
    }
    lines++;
    sequence = number;
    hash = line.group(4);
    found |= hash.equals(wanted);
    return "";
  }

  private static boolean endsWithNewline(Path file) throws IOException {
    try (var channel = Files.newByteChannel(file)) {
      var last = java.nio.ByteBuffer.allocate(1);
      channel.position(channel.size() - 1).read(last);
      return last.get(0) == '\n';
    }
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(text.getBytes(StandardCharsets.ISO_8859_1)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
