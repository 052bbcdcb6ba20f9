package io.runstone.security.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The program that administrators check a log with, compiled and called in this JVM. */
public final class Verifier {
  static final Path SOURCE = Path.of("server-config/VerifyAudit.java");

  private final Method run;

  /** Compiles the program. */
  public Verifier() throws IOException, ReflectiveOperationException {
    Path classes = Files.createTempDirectory("verify-audit");
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-Xlint:all",
                "-Werror",
                "--release",
                "17",
                "-proc:none",
                "-d",
                classes.toString(),
                SOURCE.toString());
    if (errors != 0) {
      throw new AssertionError("it does not compile");
    }
    URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
    run = loader.loadClass("VerifyAudit").getMethod("run", String[].class, PrintStream.class);
  }

  /** What it said. */
  public record Answer(int code, String text) {}

  Answer run(String... args) throws ReflectiveOperationException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Object code = run.invoke(null, args, out);
    return new Answer((Integer) code, bytes.toString(StandardCharsets.UTF_8));
  }

  /** Checks {@code audit.log*} of a directory. */
  public Answer check(Path directory, String... options)
      throws IOException, ReflectiveOperationException {
    List<String> files;
    try (Stream<Path> entries = Files.list(directory)) {
      files =
          entries
              .filter(file -> file.getFileName().toString().startsWith("audit.log"))
              .map(Path::toString)
              .toList();
    }
    return run(Stream.concat(Stream.of(options), files.stream()).toArray(String[]::new));
  }
}
