package io.runstone.upstream.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.runstone.upstream.ServerName;
import io.runstone.upstream.UpstreamTool;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ToolSearchTest {
  private static final List<UpstreamTool> TOOLS =
      List.of(
          tool("crm", "find_customer", "Finds a customer by name."),
          tool("crm", "delete", "Deletes an order of a customer."),
          tool("mail", "send", "Sends a letter."));

  private static UpstreamTool tool(String server, String name, String description) {
    return new UpstreamTool(
        new ServerName(server), Map.of("name", name, "description", description));
  }

  private static List<String> find(String query, int limit) {
    return ToolSearch.find(TOOLS, query, limit).stream().map(UpstreamTool::name).toList();
  }

  @Test
  void namesCountMoreThanDescriptions() {
    assertThat(find("customer", 10)).containsExactly("find_customer", "delete");
    assertThat(find("SEND letter!", 10)).containsExactly("send");
    assertThat(find("crm delete", 1)).containsExactly("delete");
  }

  @Test
  void aWholeNameOfSeveralWordsComesFirst() {
    List<UpstreamTool> tools =
        List.of(
            tool("crm", "get_contact_by_mail", "Gets a contact."),
            tool("crm", "Get_Contact", "Its name says it."));
    assertThat(ToolSearch.find(tools, " get_contact ", 1))
        .extracting(UpstreamTool::name)
        .containsExactly("Get_Contact");
  }

  @Test
  void withoutWordsEverythingIsFound() {
    assertThat(find(" ", 10)).containsExactly("delete", "find_customer", "send");
    assertThat(find("nothing like it", 10)).isEmpty();
  }
}
