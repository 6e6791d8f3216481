/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java blocks of the documentation compile. */
class DocumentationSnippetsTest {
  private static final Path CHECKOUT =
      Path.of(System.getProperty("basedir")).toAbsolutePath().getParent();

  @TempDir Path temporary;

  @Test
  void eachSnippetOfTheDocumentationCompiles() throws Exception {
    List<Snippet> snippets = Snippet.below(CHECKOUT);
    assertThat(snippets)
        .extracting(Snippet::page)
        .contains(
            "docs/exporter.md", "docs/library.md", "docs/netty-allocator.md", "docs/sockets.md");
    assertThat(Snippet.errors(snippets, temporary)).isEmpty();
  }

  @Test
  void anErrorIsNamedWithPageAndLine() throws Exception {
    Files.writeString(
        temporary.resolve("page.md"),
        """
        Text.

        ```java
        import java.time.Duration;
        Duration limit = Duration.ofSeconds(1);
        limit.doesNotExist();
        ```

        ```java
        @Bean
        String member() {
          return source.doesNotExist();
        }
        ```
        """);
    assertThat(Snippet.errors(Snippet.below(temporary), temporary))
        .hasSize(2)
        .satisfiesExactly(
            error -> assertThat(error).startsWith("page.md:6: ").contains("doesNotExist"),
            error -> assertThat(error).startsWith("page.md:12: ").contains("doesNotExist"));
  }
}
