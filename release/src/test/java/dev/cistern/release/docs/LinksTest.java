/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links between pages lead to files and sections, and an index names each page. */
class LinksTest {
  private static final Pattern LINK =
      Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]*))?(?: \"[^\"]*\")?\\)");

  @TempDir Path temporary;

  private static List<String> broken(Path page) {
    List<String> broken = new ArrayList<>();
    String text = Pages.text(page);
    for (MatchResult link : LINK.matcher(Pages.prose(text)).results().toList()) {
      String target = link.group(1);
      String anchor = link.group(2);
      if (target.contains(":")) {
        continue; // another site
      }
      Path file = target.isEmpty() ? page : page.resolveSibling(target).normalize();
      if (!Files.exists(file)) {
        broken.add(target);
      } else if (anchor != null
          && file.toString().endsWith(".md")
          && !Pages.anchors(Pages.text(file)).contains(anchor)) {
        broken.add(target + '#' + anchor);
      }
    }
    return broken;
  }

  @Test
  void eachLinkLeadsToAFileAndASection() throws IOException {
    List<Path> pages = Pages.all();
    assertThat(pages).hasSizeGreaterThan(50);
    for (Path page : pages) {
      assertThat(broken(page)).as(page.toString()).isEmpty();
    }
  }

  @Test
  void aBrokenLinkIsFound() throws IOException {
    Files.writeString(temporary.resolve("other.md"), "# A `b`: c, and d\n```\n# none\n```\n");
    Path page = temporary.resolve("page.md");
    Files.writeString(
        page,
        """
        [one](other.md#a-b-c-and-d) [two](other.md#none) [three](missing.md "title")
        [four](#here) [five](https://example.org/x.md#y)
        """);
    assertThat(broken(page)).containsExactly("other.md#none", "missing.md", "#here");
  }

  @Test
  void theIndexesNameEachPage() throws IOException {
    for (String directory : List.of("docs", "docs/internals", "docs/internals/decisions")) {
      Path index = Repository.path(directory).resolve("README.md");
      Set<Path> named = new HashSet<>();
      for (MatchResult link : LINK.matcher(Pages.text(index)).results().toList()) {
        named.add(index.resolveSibling(link.group(1)).normalize());
      }
      try (var files = Files.list(index.getParent())) {
        assertThat(files.filter(file -> file.toString().endsWith(".md") && !file.equals(index)))
            .as(directory)
            .isSubsetOf(named);
      }
    }
  }
}
