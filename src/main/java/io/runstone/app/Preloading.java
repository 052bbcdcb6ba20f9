package io.runstone.app;

import jakarta.servlet.ServletContext;
import java.util.Set;

/**
 * Loads every class of the application when it is deployed. A server that is stopped (Payara 6, by
 * SIGTERM) closes the class loader before it tells the application: an execution that ends then
 * could not be answered if its answer needs a class that nobody has used before. Stateless.
 */
final class Preloading {
  private static final System.Logger LOG = System.getLogger(Preloading.class.getName());
  private static final String CLASSES = "/WEB-INF/classes/";
  private static final String SUFFIX = ".class";

  private Preloading() {}

  /** Takes some 100 ms; what can't be loaded is not needed here, or fails when it is. */
  static void loadAll(ServletContext context) {
    load(context, CLASSES + "io/runstone/");
  }

  private static void load(ServletContext context, String directory) {
    Set<String> entries = context.getResourcePaths(directory);
    if (entries == null) {
      return;
    }
    for (String entry : entries) {
      if (entry.endsWith("/")) {
        load(context, entry);
      } else if (entry.endsWith(SUFFIX)) {
        load(entry.substring(CLASSES.length(), entry.length() - SUFFIX.length()));
      }
    }
  }

  private static void load(String path) {
    try {
      Class.forName(path.replace('/', '.'), false, Preloading.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      LOG.log(System.Logger.Level.DEBUG, "a class can't be loaded ahead", e);
    }
  }
}
