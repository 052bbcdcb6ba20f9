package io.runstone.security.canary;

import io.runstone.testing.canary.Canary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Programs that hunt for secrets: each hunt in each of several ways. Immutable. */
final class HostilePrograms {
  private static final Pattern HUNT =
      Pattern.compile("(?ms)^# hunt: (\\S+)\n(.*?)(?=^# hunt: |\\z)");

  /** How a hunt is run and what it found is carried out; {@code hunt()} prints. */
  private static final List<String> WAYS =
      List.of(
          "hunt()",
          "thread = threading.Thread(target=hunt)\nthread.start()\nthread.join(4)",
          """
          sys.stdout.flush()
          child = os.fork()
          if child == 0:
              try:
                  hunt()
                  sys.stdout.flush()
              finally:
                  os._exit(0)
          os.waitpid(child, 0)""",
          "raise RuntimeError(kept())",
          """
          class Rich:
              def __init__(self, text):
                  self.text = text
              def _repr_html_(self):
                  return self.text
              def __repr__(self):
                  return self.text
          Rich(kept())""",
          """
          with open("/app/uploads/found-%d" % PROGRAM, "w") as file:
              file.write(kept())
          print(open(file.name).read())""",
          """
          def late():
              time.sleep(0.05)
              hunt()
          threading.Thread(target=late).start()""");

  private static final String KEPT =
      """

      def kept():
          import contextlib
          text = io.StringIO()
          with contextlib.redirect_stdout(text):
              try:
                  hunt()
              except Exception:
                  traceback.print_exc(file=text)
          return text.getvalue()

      """;

  private final String prelude;
  private final List<String> names = new ArrayList<>();
  private final List<String> hunts = new ArrayList<>();

  /** Reads the hunts; the facts are for the prelude. */
  HostilePrograms(Map<String, String> facts) throws IOException {
    String text = read("prelude.py");
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      text = text.replace("@" + fact.getKey() + "@", fact.getValue());
    }
    int half = Canary.PREFIX.length() / 2;
    this.prelude =
        text.replace("@HEAD@", Canary.PREFIX.substring(0, half))
            .replace("@TAIL@", Canary.PREFIX.substring(half));
    HUNT.matcher(read("hunts.py"))
        .results()
        .forEach(
            hunt -> {
              names.add(hunt.group(1));
              hunts.add(hunt.group(2));
            });
  }

  private static String read(String name) throws IOException {
    InputStream found = HostilePrograms.class.getResourceAsStream(name);
    try (InputStream in = Optional.ofNullable(found).orElseThrow()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  List<String> names() {
    return List.copyOf(names);
  }

  /** The hunt that a program is of. */
  String name(int number) {
    return names.get(number % names.size());
  }

  /** A program; any number is one. */
  String code(int number) {
    String hunt = hunts.get(number % hunts.size());
    String way = WAYS.get(number / hunts.size() % WAYS.size());
    return prelude.replace("@PROGRAM@", String.valueOf(number))
        + "\ndef hunt():\n    print('hunting "
        + name(number)
        + "')\n"
        + hunt.indent(4)
        + KEPT
        + way
        + "\n";
  }
}
