package io.runstone.mcp;

/** A request that is answered with an HTTP status and a JSON-RPC error, before any tool sees it. */
final class RpcException extends Exception {
  private static final long serialVersionUID = 1L;

  /** JSON-RPC 2.0, section 5.1. */
  static final int PARSE_ERROR = -32700;

  static final int INVALID_REQUEST = -32600;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL_ERROR = -32603;

  /** MCP specification: a session that is not there (any more). */
  static final int SESSION_NOT_FOUND = -32001;

  private final int status;
  private final int code;

  RpcException(int status, int code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** The HTTP status. */
  int status() {
    return status;
  }

  /** The JSON-RPC error code. */
  int code() {
    return code;
  }
}
