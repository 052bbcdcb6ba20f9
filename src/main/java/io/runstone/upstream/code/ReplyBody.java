package io.runstone.upstream.code;

import io.runstone.kernel.HostReply;
import io.runstone.upstream.UpstreamResult;
import io.runstone.upstream.UpstreamTool;
import io.runstone.upstream.Upstreams;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** What code gets to know, as JSON. Pure. */
final class ReplyBody {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ReplyBody() {}

  static HostReply servers(List<Upstreams.Summary> servers) {
    return json(servers.stream().map(ReplyBody::server).toList());
  }

  private static Map<String, Object> server(Upstreams.Summary summary) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", summary.name().value());
    fields.put("title", summary.title());
    fields.put("description", summary.description());
    fields.put("connect", summary.connect().map(URI::toString).orElse(null));
    return fields;
  }

  static HostReply tools(List<UpstreamTool> tools) {
    return json(tools.stream().map(UpstreamTool::definition).toList());
  }

  static HostReply matches(Upstreams.Matches matches) {
    return json(
        Map.of(
            "tools",
            matches.tools().stream()
                .map(tool -> Map.of("server", tool.server().value(), "tool", tool.definition()))
                .toList(),
            "unreachable",
            matches.unreachable().stream().map(ReplyBody::unreachable).toList()));
  }

  private static Map<String, Object> unreachable(Upstreams.Unreachable unreachable) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("server", unreachable.server().value());
    fields.put("kind", unreachable.why().kind().label());
    fields.put("message", String.valueOf(unreachable.why().getMessage()));
    fields.put("link", unreachable.why().link().map(URI::toString).orElse(null));
    return fields;
  }

  static HostReply result(UpstreamResult result) {
    return json(result.json());
  }

  private static HostReply json(Object value) {
    return new HostReply.Answer(JSON.writeValueAsString(value));
  }
}
