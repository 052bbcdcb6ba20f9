package io.runstone.upstream.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.kernel.ExecutionResult;
import io.runstone.kernel.Output;
import io.runstone.upstream.FakeUpstreams;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the Python module {@code upstream} looks like, and what it makes of results. */
class CodeModeTest extends CodeSession {
  private static final String PNG = "iVBORw0KGgo=";

  @Test
  void serversAreShownWithWhatTheUserHasToDoFirst() throws Exception {
    assertThat(shown("upstream.servers()"))
        .isEqualTo(
            "crm (Customers): Contacts and deals.\n"
                + "mail (Mail) [the user has to connect it first:"
                + " https://runstone.example/connect/mail]\n");
    assertThat(shown("[(s.name, s.title, s.connect_url is None) for s in upstream.servers()]"))
        .isEqualTo("[('crm', 'Customers', True), ('mail', 'Mail', False)]\n");
    assertThat(shown("set(dir(upstream)) >= {'crm', 'mail', 'servers', 'search', 'aio'}"))
        .isEqualTo("True\n");
  }

  @Test
  void toolsAreFunctionsWithSignatures() throws Exception {
    assertThat(shown("upstream.crm.find_contact"))
        .isEqualTo(
            "crm.find_contact(text: str, limit: int = 10, kind: Literal['person', 'firm'] = None)"
                + " -> list[str]\n");
    assertThat(shown("inspect.signature(upstream.crm.send)"))
        .isEqualTo(
            "<Signature (arguments: dict, /, *, body: str = None, to: Optional[str] = None)>\n");
    assertThat(shown("dir(upstream.crm)"))
        .contains("'tools'", "'call'", "'find_contact'", "'send'", "'picture'");
    assertThat(shown("upstream.crm.tools()"))
        .contains("crm.find_contact(text: str", " - Finds contacts by name.\n");
    assertThat(shown("upstream.search('contact')"))
        .contains("crm.find_contact(", "mail could not be asked: the user has to connect it");
  }

  @Test
  void helpReadsWell() throws Exception {
    assertThat(shown("help(upstream)"))
        .contains("upstream.crm.tools()", "crm (Customers): Contacts and deals.", "ToolError")
        .doesNotContain("PACKAGE CONTENTS", "_runstone");
    assertThat(shown("help(upstream.crm)"))
        .contains("Contacts and deals.", "crm.find_contact(text: str", "Finds contacts by name.");
    assertThat(shown("help(upstream.crm.find_contact)"))
        .contains(
            "Finds contacts by name. Case does not matter.",
            "text: str, required",
            "Words of the name.",
            "limit: int, default 10, at least 1",
            "kind: Literal['person', 'firm'], optional",
            "upstream.crm['find-contact'](...)");
  }

  @Test
  void argumentsArriveAsTheyWereMeant() throws Exception {
    run("upstream.crm.find_contact('Ada', limit=3, kind=None)");
    run("upstream.crm['find-contact'](text='Ada')");
    run("upstream.crm.call('send', {'from': 'a', 'to': None}, timeout=1.5)");
    run("upstream.crm.send({'from': 'a'}, to='b')");
    assertThat(upstreams.called)
        .extracting(called -> called.call().arguments().toString())
        .containsExactly(
            "{text=Ada, limit=3}", "{text=Ada}", "{from=a, to=null}", "{from=a, to=b}");
    assertThat(upstreams.called.get(0).call().tool()).isEqualTo("find-contact");
    assertThat(upstreams.called.get(0).caller().owner()).isEqualTo("work");
    assertThat(upstreams.called.get(0).caller().requester()).isEqualTo(ANNA);
    assertThat(upstreams.called.get(2).call().timeout()).contains(Duration.ofMillis(1500));
    assertThat(error("upstream.crm.find_contact()")).contains("TypeError", "needs 'text'");
    assertThat(error("upstream.crm.find_contact(txt='a')"))
        .contains("TypeError", "no parameter 'txt'", "did you mean 'text'");
    assertThat(error("upstream.crm.find_contact(text=object())")).contains("TypeError");
    assertThat(error("upstream.crm.find_contact(text=float('nan'))")).contains("ValueError");
    assertThat(upstreams.called).hasSize(4);
  }

  private String value(String result, String expression) throws Exception {
    upstreams.answering((caller, call) -> FakeUpstreams.answer(result));
    return shown(expression);
  }

  @Test
  void resultsArePlainValues() throws Exception {
    assertThat(shown("upstream.crm.find_contact('a')")).isEqualTo("['found']\n");
    String send = "upstream.crm.send({'from': 'a'})";
    assertThat(value("{\"content\":[],\"structuredContent\":{\"result\":1}}", send))
        .isEqualTo("{'result': 1}\n");
    assertThat(value("{\"content\":[{\"type\":\"text\",\"text\":\"{}\"}]}", send))
        .isEqualTo("'{}'\n");
    assertThat(value("{\"content\":[]}", send + " is None")).isEqualTo("True\n");
    assertThat(
            value(
                "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
                    + "{\"type\":\"audio\",\"data\":\"aGk=\",\"mimeType\":\"audio/wav\"},"
                    + "{\"type\":\"resource_link\",\"uri\":\"x:y\",\"name\":\"n\"},"
                    + "{\"type\":\"resource\",\"resource\":{\"uri\":\"x:z\",\"text\":\"t\"}}]}",
                send))
        .isEqualTo(
            "['a', <Audio audio/wav, 2 bytes>, <ResourceLink x:y n>, <Resource x:z , 1 bytes>]\n");
    assertThat(
            value(
                "{\"content\":[],\"isError\":false,\"_meta\":{\"a\":1}}",
                "upstream.crm.send.with_options(raw=True)({'from': 'a'})['_meta']"))
        .isEqualTo("{'a': 1}\n");
  }

  @Test
  void picturesAreShown() throws Exception {
    upstreams.answering(
        (caller, call) ->
            FakeUpstreams.answer(
                "{\"content\":[{\"type\":\"image\",\"data\":\""
                    + PNG
                    + "\",\"mimeType\":\"image/png\"}]}"));
    ExecutionResult result = run("upstream.crm.picture()");
    assertThat(result.outputs())
        .containsExactly(
            new Output.ExecuteResult(
                Map.of("text/plain", "<Image image/png, 8 bytes>", "image/png", PNG)));
    assertThat(shown("p = upstream.crm.picture()\np.data[:4], p.mime_type"))
        .isEqualTo("(b'\\x89PNG', 'image/png')\n");
  }

  @Test
  void whateverAServerSaysOfItsToolsTheyCanBeCalled() throws Exception {
    assertThat(shown("help(upstream.crm.tool_1_odd_tool)"))
        .contains("The server does not say what this does.", "upstream.crm['1 odd.tool'](...)");
    run(
        "upstream.crm.tool_1_odd_tool({'class': 1, '': 2, 'more': 3}, self=4, arguments=5, é=None)");
    assertThat(upstreams.called.get(0).call().arguments().toString())
        .isEqualTo("{class=1, =2, more=3, self=4, arguments=5, é=null}");
    run("await upstream.aio.crm['1 odd.tool'](self=1)");
    assertThat(upstreams.called.get(1).call().arguments().toString()).isEqualTo("{self=1}");
  }
}
