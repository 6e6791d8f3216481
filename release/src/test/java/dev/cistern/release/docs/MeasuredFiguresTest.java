/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measured figures on pages for users are those of the published results. A figure is a link: its
 * target is the file of the results, its title names the row.
 */
class MeasuredFiguresTest {
  private static final Pattern FIGURE =
      Pattern.compile("\\[([^]]+)]\\(([^)\\s]*results/[^)\\s]+\\.md) \"([^\"]+)\"\\)");
  private static final Pattern OTHER_LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

  /** Nanoseconds, microseconds, and ratios with an interval are always measured. */
  private static final Pattern TIME =
      Pattern.compile("\\d[\\d,.]*\\s?(?:ns|us|µs)\\b|\\d[.\\d]* \\(\\d[.\\d]* to \\d");

  /** Pages on which other units are measured, too. */
  private static final Pattern TIME_OR_SIZE =
      Pattern.compile("\\d[\\d,.]*\\s?(?:ns|us|µs|ms|MiB)\\b");

  @TempDir Path temporary;

  private static List<String> wrong(Path page) {
    List<String> wrong = new ArrayList<>();
    for (MatchResult figure : FIGURE.matcher(Pages.text(page)).results().toList()) {
      Path results = page.resolveSibling(figure.group(2)).normalize();
      List<String> title = List.of(figure.group(3).split("; ", -1));
      if (!Files.exists(results)
          || !new ResultTables(Pages.text(results)).contains(title, figure.group(1))) {
        wrong.add(figure.group());
      }
    }
    return wrong;
  }

  /** Returns times, and perhaps sizes, that name no row. */
  private static List<String> unnamed(Path page, Pattern measured) {
    String prose = CODE.matcher(Pages.prose(Pages.text(page))).replaceAll("");
    String text = OTHER_LINK.matcher(FIGURE.matcher(prose).replaceAll("")).replaceAll("$1");
    return measured.matcher(text).results().map(MatchResult::group).toList();
  }

  @Test
  void eachFigureIsThatOfItsRow() throws IOException {
    int figures = 0;
    for (Path page : Pages.ofUsers()) {
      figures += (int) FIGURE.matcher(Pages.text(page)).results().count();
      assertThat(wrong(page)).as(page.toString()).isEmpty();
    }
    assertThat(figures).isGreaterThan(40);
  }

  @Test
  void eachMeasuredTimeNamesItsRow() throws IOException {
    for (Path page : Pages.ofUsers()) {
      assertThat(unnamed(page, TIME)).as(page.toString()).isEmpty();
    }
    for (String page : List.of("README.md", "docs/performance.md")) {
      assertThat(unnamed(Repository.path(page), TIME_OR_SIZE)).as(page).isEmpty();
    }
  }

  @Test
  void aFigureThatIsNotInItsRowIsFound() throws IOException {
    Files.createDirectory(temporary.resolve("results"));
    Files.writeString(
        temporary.resolve("results/some.md"),
        """
        # All

        ## First

        | case | ours | Netty's | ratio |
        |---|---|---|---|
        | pair, 1 KiB | 9.1 ± 0.2 | 13.6 ± 0.1 | **1.017** |

        ## Second

        | case | ours | Netty's | ratio |
        |---|---|---|---|
        | pair, 1 KiB | 7.5 | 13.6 | 0.9 |
        """);
    Path page = temporary.resolve("page.md");
    Files.writeString(
        page,
        """
        [9.1 ns](results/some.md "First; pair, 1 KiB; ours")
        [1.7 %](results/some.md "First; pair, 1 KiB; ratio")
        [10 %](results/some.md "Second; pair, 1 KiB; ratio")
        [0.2 ns](results/some.md "First; pair, 1 KiB; ours")
        [9.1 ns](results/some.md "Second; pair, 1 KiB; ours")
        [9.1 ns](results/some.md "First; pair, 1 KiB; Netty's")
        [9.1 ns](results/some.md "First; pair, 1 KiB")
        [9.1 ns](results/some.md "pair, 1 KiB; ours")
        [9.1 ns](results/other.md "pair, 1 KiB; ours")
        [1 ns](results/some.md "First; pair, 1 KiB; case") [4 ns](results/some.md) 3 ns and 7 MiB
        0.9 (0.8 to 1.1) and 4 (5 of 6)
        """);
    assertThat(wrong(page))
        .containsExactly(
            "[10 %](results/some.md \"Second; pair, 1 KiB; ratio\")",
            "[0.2 ns](results/some.md \"First; pair, 1 KiB; ours\")",
            "[9.1 ns](results/some.md \"Second; pair, 1 KiB; ours\")",
            "[9.1 ns](results/some.md \"First; pair, 1 KiB; Netty's\")",
            "[9.1 ns](results/some.md \"First; pair, 1 KiB\")",
            "[9.1 ns](results/some.md \"pair, 1 KiB; ours\")",
            "[9.1 ns](results/other.md \"pair, 1 KiB; ours\")",
            "[1 ns](results/some.md \"First; pair, 1 KiB; case\")");
    assertThat(unnamed(page, TIME)).containsExactly("4 ns", "3 ns", "0.9 (0.8 to 1");
    assertThat(unnamed(page, TIME_OR_SIZE)).containsExactly("4 ns", "3 ns", "7 MiB");
  }
}
