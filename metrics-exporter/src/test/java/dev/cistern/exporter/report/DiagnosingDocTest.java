/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/diagnosing.md has a section for each kind of finding, real examples and unbroken links. */
class DiagnosingDocTest {
  private static final String NAME = "docs/diagnosing.md";

  /** Kinds with a scenario. Their sections have an example that a run of the scenario writes. */
  private static final List<Kind> WITH_EXAMPLE =
      List.of(
          Kind.LEAK,
          Kind.SLOW_CONSUMER,
          Kind.UNREAD_BODIES,
          Kind.PINNED_BY_SLICES,
          Kind.ORPHANED_BY_CANCEL,
          Kind.RETENTION,
          Kind.COLLECTOR,
          Kind.DUPLICATE_ALLOCATORS,
          Kind.GIANT_REQUEST,
          Kind.MANY_THREADS,
          Kind.LIMIT_TOO_SMALL,
          Kind.JDK_DIRECT,
          Kind.MAPPED_FILES,
          Kind.METASPACE,
          Kind.JAVA_HEAP,
          Kind.MALLOC);

  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?s)<!-- example:(\\w+) -->(.*?)<!-- end -->");

  /** A link to a section of the same page, or of the page at a path. */
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)#([^)\\s]+)\\)");

  @Test
  void eachKindHasASection() {
    String page = text(Repository.path(NAME));
    for (Kind kind : Kind.values()) {
      assertThat(page).as(kind.label()).contains("\n## " + kind.label() + "\n");
    }
  }

  @Test
  void eachScenarioHasItsExampleInTheSectionOfItsKind() {
    String page = text(Repository.path(NAME));
    List<String> found = EXAMPLE.matcher(page).results().map(result -> result.group(1)).toList();
    assertThat(found).containsExactlyElementsOf(WITH_EXAMPLE.stream().map(Kind::label).toList());
    for (String kind : found) {
      assertThat(section(page, kind)).contains("<!-- example:" + kind + " -->", "<!-- end -->");
    }
  }

  @Test
  void eachExampleIsOfItsKind() {
    String page = text(Repository.path(NAME));
    for (MatchResult example : EXAMPLE.matcher(page).results().toList()) {
      assertThat(example.group(2)).as(example.group(1)).contains("kind        " + example.group(1));
    }
  }

  @Test
  void linksOfThePageLeadToSections() {
    assertThat(brokenLinks(Repository.path(NAME))).isEmpty();
  }

  @Test
  void linksToThePageLeadToSections() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Repository.path("README.md")));
    for (String directory : List.of("docs", "dashboards")) {
      try (Stream<Path> files = Files.list(Repository.path(directory))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    for (Path page : pages) {
      assertThat(brokenLinks(page))
          .as(page.toString())
          .noneMatch(link -> link.contains("diagnosing.md#"));
    }
  }

  @Test
  void anAnchorIsThatOfItsHeading() {
    assertThat(anchors("# A `b`: c, and d\n```\n# none\n```\n## giant_request\n"))
        .containsExactlyInAnyOrder("a-b-c-and-d", "giant_request");
  }

  private static String section(String page, String kind) {
    int start = page.indexOf("\n## " + kind + "\n");
    int end = page.indexOf("\n## ", start + 1);
    return page.substring(start, end < 0 ? page.length() : end);
  }

  private static List<String> brokenLinks(Path page) {
    List<String> broken = new ArrayList<>();
    for (MatchResult link : LINK.matcher(text(page)).results().toList()) {
      String target = link.group(1);
      String anchor = link.group(2);
      Path file = target.isEmpty() ? page : page.resolveSibling(target).normalize();
      boolean isPage = !target.contains(":") && file.toString().endsWith(".md");
      if (isPage && (!Files.exists(file) || !anchors(text(file)).contains(anchor))) {
        broken.add(target + '#' + anchor);
      }
    }
    return broken;
  }

  /** Returns the anchors that GitHub creates for the headings of a page. */
  private static Set<String> anchors(String page) {
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(BLOCK.matcher(page).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .forEach(anchors::add);
    return anchors;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
