package io.runstone.mcp.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.runstone.security.Requester;
import io.runstone.security.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceCatalogTest {
  private static final UserId ANNA = new UserId("anna");
  private static final UserId BERT = new UserId("bert");

  private final Numbers numbers = new Numbers();
  private final ResourceCatalog catalog = new ResourceCatalog(List.of(numbers));

  /** As many resources as a test wants, all of one user. */
  private static final class Numbers implements Resources {
    int count;
    String version = "";

    @Override
    public List<ResourceTemplate> templates() {
      return List.of(new ResourceTemplate("n://{n}", "n", "N", "A number."));
    }

    @Override
    public List<ResourceInfo> list(UserId user) {
      return IntStream.range(0, user.equals(ANNA) ? count : 0)
          .mapToObj(
              i ->
                  new ResourceInfo(
                      "n://" + i, "n", "A number.", "text/plain", OptionalLong.empty(), version))
          .toList();
    }

    @Override
    public Optional<ResourceData> read(UserId user, String uri) {
      return list(user).stream()
          .filter(info -> info.uri().equals(uri))
          .map(info -> ResourceData.text(uri, "text/plain", uri))
          .findFirst();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 101, 250})
  void thePagesTogetherAreTheWholeList(int count) throws Exception {
    numbers.count = count;
    List<ResourceInfo> seen = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      ResourceCatalog.Page<ResourceInfo> page = catalog.list(Requester.of(ANNA), cursor);
      assertThat(page.items().size()).isLessThanOrEqualTo(100);
      seen.addAll(page.items());
      cursor = page.next();
    } while (cursor.isPresent());
    assertThat(seen).isEqualTo(catalog.all(ANNA)).hasSize(count);
  }

  @Test
  void aCursorThatIsNoneIsRefused() {
    for (String bad : List.of("", "x", "ZnJvbTotMQ", "ZnJvbTo5OTk5OTk5OTk5OTk", "%")) {
      assertThatThrownBy(() -> catalog.list(Requester.of(ANNA), Optional.of(bad)))
          .as(bad)
          .isInstanceOf(ResourceCatalog.BadCursorException.class);
    }
  }

  @Test
  void somebodyElsesResourceIsNone() throws Exception {
    numbers.count = 1;
    assertThat(catalog.read(Requester.of(ANNA), "n://0")).isPresent();
    assertThat(catalog.read(Requester.of(BERT), "n://0")).isEmpty();
  }

  @Test
  void changesAreToldToThoseWhoseConcernTheyAre() {
    Changes changes = new Changes();
    ResourceWatch watch = new ResourceWatch(catalog, changes);
    List<Change> annas = new ArrayList<>();
    List<Change> berts = new ArrayList<>();
    numbers.count = 1;
    Changes.Registration anna = changes.listen(ANNA, annas::add);
    changes.listen(BERT, berts::add);
    watch.look();
    watch.look();
    assertThat(annas).isEmpty();
    numbers.version = "2";
    watch.look();
    numbers.count = 2;
    watch.look();
    changes.publish(new Change.Tools());
    anna.close();
    numbers.count = 3;
    watch.look();
    assertThat(annas)
        .containsExactly(
            new Change.Resource(ANNA, "n://0"), new Change.ResourceList(ANNA), new Change.Tools());
    assertThat(berts).containsExactly(new Change.Tools());
  }
}
