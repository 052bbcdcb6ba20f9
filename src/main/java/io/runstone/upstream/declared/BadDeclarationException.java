package io.runstone.upstream.declared;

/** A declaration that can't be used; the message says where, and what is expected there. */
final class BadDeclarationException extends Exception {
  private static final long serialVersionUID = 1L;

  BadDeclarationException(String where, String expected) {
    super((where.isEmpty() ? "the file" : where) + ": " + expected);
  }
}
