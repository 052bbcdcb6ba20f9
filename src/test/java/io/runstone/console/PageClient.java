package io.runstone.console;

import io.runstone.testing.Http;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without eyes: it keeps cookies and sends forms. Not thread-safe. */
final class PageClient {
  private final Http http;
  private final Map<String, String> cookies = new HashMap<>();

  PageClient(URI base) {
    this.http = new Http(base, Map.of());
  }

  Http.Answer get(String path) throws Exception {
    return kept(http.send("GET", path, "", "Cookie", cookie()));
  }

  Http.Answer post(String path, Map<String, String> fields, String... more) throws Exception {
    String[] headers = new String[4 + more.length];
    headers[0] = "Cookie";
    headers[1] = cookie();
    headers[2] = "Content-Type";
    headers[3] = "application/x-www-form-urlencoded";
    System.arraycopy(more, 0, headers, 4, more.length);
    return kept(http.send("POST", path, encoded(fields), headers));
  }

  static String encoded(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(
            field ->
                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  /** Logs in by the form for keys. */
  Http.Answer logIn(String key) throws Exception {
    return post("/connections/login?server=crm", Map.of("key", key));
  }

  /** Presses a button of the list, with a field's value that may differ. */
  Http.Answer press(String path, String server, String csrf) throws Exception {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("csrf", csrf);
    fields.put("server", server);
    return post(path, fields);
  }

  String csrf() throws Exception {
    return found("name=\"csrf\" value=\"([^\"]*)\"", get("/connections").text());
  }

  /** Where a page sends its browser. */
  static URI leave(Http.Answer page) {
    return URI.create(found("content=\"0;url=([^\"]*)\"", page.text()).replace("&amp;", "&"));
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("no " + pattern + " in " + text);
    }
    return matcher.group(1);
  }

  String cookie() {
    return cookies.entrySet().stream()
        .map(one -> one.getKey() + "=" + one.getValue())
        .collect(Collectors.joining("; "));
  }

  private Http.Answer kept(Http.Answer answer) {
    for (String line : answer.response().headers().allValues("Set-Cookie")) {
      String pair = line.substring(0, line.indexOf(';'));
      cookies.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return answer;
  }
}
