package io.runstone.upstream.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP server on loopback that does what a test says, down to the byte, and remembers what it
 * was sent. Thread-safe.
 */
final class ScriptedServer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final ServerSocket listening;
  private final Script script;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();

  /** Answers requests. */
  interface Script {
    void answer(Request request, Response response) throws IOException, InterruptedException;
  }

  /** What a client sent. */
  record Request(String method, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> json() {
      return body.isEmpty() ? Map.of() : JSON.readValue(body, Map.class);
    }

    /** The method of the message, or that of HTTP if there is none. */
    String rpc() {
      return String.valueOf(json().getOrDefault("method", method));
    }

    Object id() {
      return json().getOrDefault("id", "none");
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> params() {
      return (Map<String, Object>) json().getOrDefault("params", Map.of());
    }
  }

  /** How it is answered. */
  static final class Response {
    private final OutputStream out;
    private final Socket socket;
    private boolean streaming;

    Response(Socket socket) throws IOException {
      this.socket = socket;
      this.out = socket.getOutputStream();
    }

    /** A whole answer; headers are lines. */
    void whole(int status, String type, String body, String... headers) throws IOException {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      head(status, type, headers);
      raw("Content-Length: " + bytes.length + "\r\n\r\n");
      out.write(bytes);
      out.flush();
    }

    private void head(int status, String type, String... headers) throws IOException {
      StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
      if (!type.isEmpty()) {
        head.append("Content-Type: ").append(type).append("\r\n");
      }
      for (String header : headers) {
        head.append(header).append("\r\n");
      }
      raw(head.toString());
    }

    void json(Map<String, ?> message, String... headers) throws IOException {
      whole(200, "application/json", JSON.writeValueAsString(message), headers);
    }

    void status(int status, String... headers) throws IOException {
      whole(status, "text/plain", "the server's secret diary", headers);
    }

    void accepted() throws IOException {
      whole(202, "", "");
    }

    /** The result of a request. */
    void result(Request request, Map<String, ?> result, String... headers) throws IOException {
      json(Map.of("jsonrpc", "2.0", "id", request.id(), "result", result), headers);
    }

    void error(int status, Object id, int code, String message, Map<String, ?> data)
        throws IOException {
      Map<String, Object> error = new TreeMap<>(Map.of("jsonrpc", "2.0"));
      error.put("id", id);
      error.put("error", Map.of("code", code, "message", message, "data", data));
      whole(status, "application/json", JSON.writeValueAsString(error));
    }

    /** Begins a stream. */
    void stream(String... headers) throws IOException {
      streaming = true;
      head(200, "text/event-stream", headers);
      raw("Transfer-Encoding: chunked\r\n\r\n");
    }

    /** A piece of a stream as it is. */
    void piece(String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      raw(Integer.toHexString(bytes.length) + "\r\n");
      out.write(bytes);
      raw("\r\n");
    }

    void event(Map<String, ?> message) throws IOException {
      piece("event: message\ndata: " + JSON.writeValueAsString(message) + "\n\n");
    }

    void resultEvent(Request request, Map<String, ?> result) throws IOException {
      event(Map.of("jsonrpc", "2.0", "id", request.id(), "result", result));
    }

    void endStream() throws IOException {
      raw("0\r\n\r\n");
      streaming = false;
    }

    void raw(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }

    /** Closes the connection in the middle of whatever it is. */
    void cut() throws IOException {
      socket.close();
    }

    /** Waits until the client has closed the connection, or reset it for it left some unread. */
    void awaitClose() throws IOException {
      InputStream in = socket.getInputStream();
      try {
        while (in.read() >= 0) {
          // whatever it is
        }
      } catch (SocketException e) {
        // a reset
      }
    }
  }

  ScriptedServer(Script script) throws IOException {
    this.script = script;
    this.listening = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    Thread acceptor = new Thread(this::accept, "scripted-server");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + listening.getLocalPort() + "/mcp");
  }

  /** What was sent so far, in order. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The requests of one method. */
  List<Request> requests(String rpc) {
    return requests().stream().filter(request -> request.rpc().equals(rpc)).toList();
  }

  int connections() {
    return open.size();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        socket.setTcpNoDelay(true);
        open.add(socket);
        Thread thread = new Thread(() -> serve(socket), "scripted-connection");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (!socket.isClosed()) {
        Request request = read(in);
        requests.add(request);
        Response response = new Response(socket);
        script.answer(request, response);
        if (response.streaming) {
          return;
        }
      }
    } catch (IOException e) {
      // the client is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  private static Request read(InputStream in) throws IOException {
    List<String> head = new ArrayList<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      head.add(line);
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line : head.subList(1, head.size())) {
      int colon = line.indexOf(':');
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (first, second) -> first + "\n" + second);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Request(head.get(0).substring(0, head.get(0).indexOf(' ')), headers, body);
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("closed");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
