package io.runstone.upstream.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the two eras of MCP put on each request. Immutable. */
sealed interface Dialect {
  /** The revision without sessions. */
  String MODERN_VERSION = "2026-07-28";

  /** The revision that is spoken. */
  String version();

  /** The session that all requests belong to; empty if there is none. */
  Optional<String> session();

  /** Headers of a request or notification. */
  Map<String, String> headers(String method, Map<String, Object> params);

  /** The parameters, with what has to be among them. */
  Map<String, Object> params(Map<String, Object> params);

  /**
   * 2025-03-26 to 2025-11-25.
   *
   * @param version empty while it is not agreed on
   */
  record Legacy(String version, Optional<String> session) implements Dialect {
    /** What is spoken before there is a conversation. */
    static final Legacy OPENING = new Legacy("", Optional.empty());

    @Override
    public Map<String, String> headers(String method, Map<String, Object> params) {
      Map<String, String> headers = new LinkedHashMap<>();
      if (!version.isEmpty()) {
        headers.put("MCP-Protocol-Version", version);
      }
      session.ifPresent(id -> headers.put("Mcp-Session-Id", id));
      return headers;
    }

    @Override
    public Map<String, Object> params(Map<String, Object> params) {
      return params;
    }
  }

  /** 2026-07-28: requests stand for themselves, and their headers say what their bodies say. */
  record Modern(String clientName, String clientVersion) implements Dialect {
    private static final String PREFIX = "io.modelcontextprotocol/";

    @Override
    public String version() {
      return MODERN_VERSION;
    }

    @Override
    public Optional<String> session() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> headers(String method, Map<String, Object> params) {
      Map<String, String> headers = new LinkedHashMap<>();
      headers.put("MCP-Protocol-Version", MODERN_VERSION);
      headers.put("Mcp-Method", method);
      if (params.get("name") instanceof String name) {
        headers.put("Mcp-Name", HeaderText.encode(name));
      }
      return headers;
    }

    @Override
    public Map<String, Object> params(Map<String, Object> params) {
      Map<String, Object> meta = new LinkedHashMap<>(Json.child(params.get("_meta")));
      meta.put(PREFIX + "protocolVersion", MODERN_VERSION);
      meta.put(PREFIX + "clientInfo", Map.of("name", clientName, "version", clientVersion));
      meta.put(PREFIX + "clientCapabilities", Map.of());
      Map<String, Object> full = new LinkedHashMap<>(params);
      full.put("_meta", meta);
      return full;
    }
  }
}
