/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** All pages, settings and panels that the runbook names exist. */
class RunbookTest {
  private static final Pattern PAGE = Pattern.compile("`(?:POST )?(/[\\w/-]*)(?:\\?[^`]*)?`");

  /** Settings, in camel case; {@code qInit} is a band of chunks. */
  private static final Pattern SETTING = Pattern.compile("`(?!qInit)([a-z]+[A-Z]\\w*)`");

  private static final Pattern PANEL = Pattern.compile("(?<!\\*)\\*([A-Z][^*\\n]*)\\*(?!\\*)");
  private static final Set<String> NO_PANELS = Set.of("The page");

  @Test
  void itsPagesExist() throws IOException {
    String documents = text("docs/exporter.md") + text("docs/sidecar.md");
    assertThat(missingPages(RuleFile.text("runbook.md"), documents)).isEmpty();
    assertThat(missingPages("see `/heap?host=ID`, `/leaks` and `POST /dump`", documents))
        .containsExactly("/dump", "/heap");
  }

  @Test
  void itsSettingsExist() throws IOException {
    String documents = text("docs/configuration.md") + text("docs/sidecar.md");
    assertThat(missingSettings(RuleFile.text("runbook.md"), documents)).isEmpty();
    assertThat(missingSettings("set `seriesLimit` or `cacheBytes`", documents))
        .containsExactly("cacheBytes");
  }

  @Test
  void itsPanelsExist() {
    assertThat(missingPanels(RuleFile.text("runbook.md"))).isEmpty();
    assertThat(missingPanels("the table *Post-mortem* of *Leaks*")).containsExactly("Post-mortem");
  }

  private static List<String> missingPages(String runbook, String documents) {
    return named(PAGE, runbook).stream()
        .filter(page -> !documents.contains("`" + page + "`"))
        .toList();
  }

  private static List<String> missingSettings(String runbook, String documents) {
    return named(SETTING, runbook).stream()
        .filter(setting -> !documents.contains("| `" + setting + "` |"))
        .toList();
  }

  private static List<String> missingPanels(String runbook) {
    List<String> titles = new ArrayList<>(NO_PANELS);
    for (Dashboard dashboard : Dashboard.all()) {
      titles.add(dashboard.json().getString("title").replace("Cistern / ", ""));
      Dashboard.objects(dashboard.json().getArray("panels"))
          .forEach(panel -> titles.add(panel.getString("title")));
    }
    return named(PANEL, runbook).stream().filter(name -> !titles.contains(name)).toList();
  }

  private static Set<String> named(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String text(String document) throws IOException {
    return Files.readString(Repository.path(document));
  }
}
