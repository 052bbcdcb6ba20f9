package io.runstone.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import io.runstone.upstream.ServerName;
import io.runstone.upstream.credential.Connections;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What others wrote is shown as text, whatever it is. */
class ConnectionsPageTest {
  private static final String EVIL = "<script>alert('x')</script>\"&";

  private static final BrowserSession SESSION =
      new BrowserSession("name", Requester.of(new UserId("an<b>na")), "csrf-token", Instant.EPOCH);

  @Test
  void escapesWhateverIsShown() {
    String page =
        ConnectionsPage.render(
            List.of(
                new Connections.Connection(new ServerName("crm"), EVIL, EVIL, true, Set.of("<i>"))),
            SESSION,
            EVIL,
            true);
    assertThat(page)
        .doesNotContain("<script", "<b>", "<i>", "'x'")
        .contains("&lt;script&gt;", "an&lt;b&gt;na", "value=\"csrf-token\"", "Allow more");
    assertThat(ConnectionsPage.leave(URI.create("https://a.example/?a='b'&c=d")))
        .contains("url=https://a.example/?a=&#39;b&#39;&amp;c=d");
  }

  @Test
  void theServerThatALinkIsAboutComesFirst() {
    List<Connections.Connection> two =
        List.of(
            new Connections.Connection(new ServerName("a"), "A", "", false, Set.of()),
            new Connections.Connection(new ServerName("b"), "B", "", false, Set.of()));
    String page = ConnectionsPage.render(two, SESSION, "b", false);
    assertThat(page.indexOf("B (b)")).isLessThan(page.indexOf("A (a)"));
    assertThat(page).doesNotContain("Log out");
  }

  @Test
  void nothingRunsAndFormsStayHere() {
    assertThat(Html.POLICY)
        .contains("default-src 'none'", "form-action 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "script-src");
  }

  @Test
  void aFieldThatIsThereTwiceIsRefused() {
    assertThat(FormFields.of("a=1&b=%20+x")).containsEntry("a", "1").containsEntry("b", "  x");
    assertThat(FormFields.of(null)).isEmpty();
    for (String bad : List.of("a=1&a=2", "a=%zz", "%")) {
      assertThatThrownBy(() -> FormFields.of(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
