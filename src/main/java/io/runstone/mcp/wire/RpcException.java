package io.runstone.mcp.wire;

import java.util.Map;
import java.util.Optional;

/** A request that is answered with an HTTP status and a JSON-RPC error, before any tool sees it. */
public final class RpcException extends Exception {
  private static final long serialVersionUID = 1L;

  /** JSON-RPC 2.0, section 5.1. */
  public static final int PARSE_ERROR = -32700;

  public static final int INVALID_REQUEST = -32600;
  public static final int METHOD_NOT_FOUND = -32601;
  public static final int INVALID_PARAMS = -32602;
  public static final int INTERNAL_ERROR = -32603;

  /** A session that is not there (any more), as the SDKs have it; eras with sessions only. */
  public static final int SESSION_NOT_FOUND = -32001;

  /** MCP 2026-07-28: a header and the body say different things. */
  public static final int HEADER_MISMATCH = -32020;

  /** MCP 2026-07-28. */
  public static final int UNSUPPORTED_VERSION = -32022;

  private final int status;
  private final int code;
  private final transient Optional<Object> data;
  private final transient Map<String, String> headers;

  /** An error without data. */
  public RpcException(int status, int code, String message) {
    this(status, code, message, Optional.empty());
  }

  /** An error with data that can be written as JSON. */
  public RpcException(int status, int code, String message, Optional<Object> data) {
    this(status, code, message, data, Map.of());
  }

  private RpcException(
      int status, int code, String message, Optional<Object> data, Map<String, String> headers) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
    this.headers = headers;
  }

  /** The same with a header of HTTP. */
  public RpcException with(String header, String value) {
    return new RpcException(
        status, code, String.valueOf(getMessage()), data, Map.of(header, value));
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The JSON-RPC error code. */
  public int code() {
    return code;
  }

  /** Headers of the answer. */
  Map<String, String> headers() {
    return headers;
  }

  /** More about it, for programs. */
  public Optional<Object> data() {
    return data;
  }
}
