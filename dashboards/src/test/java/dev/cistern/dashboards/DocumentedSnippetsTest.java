/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The blocks of YAML, PromQL and XML on the pages for users are valid. Queries name metrics,
 * kustomizations directories and images, and dependencies artifacts that exist. The release module
 * runs commands and compiles Java.
 */
@Timeout(60)
class DocumentedSnippetsTest {
  private static final int LIMIT_SECONDS = 50;
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^( *)```(yaml|promql|xml)\n(.*?)^\\1```$");
  private static final Pattern IN_FORK =
      Pattern.compile("github[.]com/your-fork/cistern/([^?\\s]+)");
  private static final Pattern IMAGE = Pattern.compile("name: (registry[.]example/[^,]+),");
  private static final Pattern METRIC = Pattern.compile("\\bcistern_\\w+");
  private static final String FIGURES = "## The ten figures to watch";

  @TempDir Path temporary;

  /** A block of a page, without its indentation. */
  private record Snippet(String page, String language, String text) {
    static Stream<Snippet> of(Path page) {
      try {
        return BLOCK
            .matcher(Files.readString(page))
            .results()
            .map(
                each ->
                    new Snippet(
                        page.getFileName().toString(),
                        each.group(2),
                        each.group(3).replaceAll("(?m)^" + each.group(1), "")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static List<Snippet> snippets(String language) throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Repository.path("README.md")));
    try (Stream<Path> files = Files.list(Repository.path("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages.stream()
        .flatMap(Snippet::of)
        .filter(snippet -> snippet.language().equals(language))
        .toList();
  }

  @Test
  void prometheusAcceptsItsConfigurations() throws Exception {
    int checked = 0;
    for (Snippet snippet : snippets("yaml")) {
      Map<?, ?> content = RuleFile.map(RuleFile.load(snippet.text()));
      assertThat(content).as(snippet.page()).isNotEmpty();
      if (content.containsKey("scrape_configs") || content.containsKey("rule_files")) {
        Path file =
            Files.writeString(temporary.resolve("prometheus.yml"), withoutDiscovery(snippet));
        accepted(snippet.page(), "check", "config", "--syntax-only", file.toString());
        checked++;
      }
    }
    assertThat(checked).isGreaterThanOrEqualTo(4);
  }

  /**
   * Returns a configuration that Debian's promtool can check: it has no discovery of Kubernetes.
   */
  private static String withoutDiscovery(Snippet snippet) {
    return snippet.text().replace("kubernetes_sd_configs: [{role: pod}]", "static_configs: []");
  }

  @Test
  void kustomizationsNameDirectoriesAndImagesThatExist() throws IOException {
    List<String> directories = new ArrayList<>();
    List<String> images = new ArrayList<>();
    for (Snippet snippet : snippets("yaml")) {
      IN_FORK.matcher(snippet.text()).results().forEach(each -> directories.add(each.group(1)));
      IMAGE.matcher(snippet.text()).results().forEach(each -> images.add(each.group(1)));
    }
    assertThat(directories)
        .hasSizeGreaterThanOrEqualTo(4)
        .allSatisfy(
            directory ->
                assertThat(Repository.path(directory + "/kustomization.yaml")).isRegularFile());
    String component =
        Files.readString(Repository.path("docker/kubernetes/components/cistern/pod.yaml"));
    assertThat(images).hasSize(2).allSatisfy(image -> assertThat(component).contains(image));
  }

  @Test
  void prometheusAcceptsTheQueries() throws Exception {
    List<String> queries =
        new ArrayList<>(snippets("promql").stream().map(each -> each.text().strip()).toList());
    assertThat(queries).hasSizeGreaterThanOrEqualTo(2);
    String exporter = Files.readString(Repository.path("docs/exporter.md"));
    String figures = exporter.substring(exporter.indexOf(FIGURES));
    Pattern.compile("(?m)^\\|.*\\| `(.*)` \\|$")
        .matcher(figures.substring(0, figures.indexOf("\n## ", 1)))
        .results()
        .forEach(row -> queries.add(row.group(1)));
    assertThat(queries).hasSizeGreaterThanOrEqualTo(12);
    String metrics = Files.readString(Repository.path("docs/metrics.md"));
    for (String query : queries) {
      for (String metric : metrics(query)) {
        assertThat(metrics).as(query).contains("| `" + metric + "` |");
      }
    }
    StringBuilder rules = new StringBuilder("groups:\n  - name: documentation\n    rules:\n");
    for (String query : queries) {
      rules.append("      - record: a_query\n        expr: '");
      rules.append(query.replace("'", "''")).append("'\n        labels: {number: \"");
      rules.append(rules.length()).append("\"}\n");
    }
    Path file = Files.writeString(temporary.resolve("rules.yaml"), rules);
    accepted("queries of the documentation", "check", "rules", file.toString());
  }

  private static List<String> metrics(String query) {
    return METRIC.matcher(query).results().map(MatchResult::group).toList();
  }

  @Test
  void dependenciesAreArtifactsOfThisVersion() throws Exception {
    List<Snippet> snippets = snippets("xml");
    assertThat(snippets).hasSizeGreaterThanOrEqualTo(4);
    String modules = Files.readString(Repository.path("bom/pom.xml"));
    String version = version();
    for (Snippet snippet : snippets) {
      Document document = parsed("<snippet>" + snippet.text() + "</snippet>");
      NodeList dependencies = document.getElementsByTagName("dependency");
      assertThat(dependencies.getLength()).isPositive();
      for (int i = 0; i < dependencies.getLength(); i++) {
        String named = children((Element) dependencies.item(i), "groupId", "artifactId");
        assertThat(named).as(snippet.page()).startsWith("dev.cistern:cistern-");
        assertThat(modules)
            .contains("<artifactId>" + named.substring("dev.cistern:".length()) + "</artifactId>");
      }
      NodeList versions = document.getElementsByTagName("version");
      for (int i = 0; i < versions.getLength(); i++) {
        assertThat(versions.item(i).getTextContent()).as(snippet.page()).isEqualTo(version);
      }
    }
  }

  private static String children(Element parent, String first, String second) {
    return parent.getElementsByTagName(first).item(0).getTextContent()
        + ":"
        + parent.getElementsByTagName(second).item(0).getTextContent();
  }

  private static String version() throws Exception {
    Document pom = parsed(Files.readString(Repository.path("bom/pom.xml")));
    return pom.getElementsByTagName("version").item(0).getTextContent();
  }

  private static Document parsed(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static void accepted(String name, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tool.path("promtool", "prometheus")));
    command.addAll(List.of(arguments));
    Tool.Outcome outcome = Tool.run(new ProcessBuilder(command), LIMIT_SECONDS);
    assertThat(outcome.status()).as(name + ": " + outcome.printed()).isZero();
  }
}
