/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each fault in a real dashboard is found once, with its file, panel and rule. */
class BrokenDashboardTest {
  private static final String PANEL = "Reserved by application";

  @Test
  void aMisspeltMetricIsFound() {
    Dashboard broken =
        broken(panel -> changeQuery(panel, "cistern_reserved_bytes", "cistern_resrved_bytes"));
    assertThat(Conventions.check(broken))
        .extracting(Finding::toString)
        .containsExactly(
            "overview.json: Reserved by application: metric-exists:"
                + " cistern_resrved_bytes is not in docs/metrics.md");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cistrn_reserved_bytes", "cistern_reserved_bytes2", "reserved_bytes"})
  void aMetricWithAMisspeltPrefixOrADigitIsFound(String misspelt) {
    assertThat(
            Conventions.check(
                broken(panel -> changeQuery(panel, "cistern_reserved_bytes", misspelt))))
        .extracting(Finding::toString)
        .containsExactly(
            "overview.json: Reserved by application: metric-exists: "
                + misspelt
                + " is not in docs/metrics.md");
  }

  @Test
  void aRecordedMetricIsFound() {
    Dashboard broken = copy("overview.json");
    JsonObject target = broken.panel("JVMs").getArray("targets").getObject(0);
    target.put("expr", "job:cistern_host_up:sum");
    assertThat(Conventions.check(broken))
        .extracting(Finding::toString)
        .containsExactly(
            "overview.json: JVMs: metric-exists: job:cistern_host_up:sum is recorded, and"
                + " dashboards do without rules");
  }

  static Stream<Arguments> faultsOfSites() {
    return Stream.of(
        ofSites("largest", "Leak rate by site", panel -> panel.put("description", "The largest.")),
        ofSites("cost", "Leak rate by site", panel -> panel.put("maxDataPoints", 4_000)),
        ofSites("cost", "Live bytes by age", panel -> panel.put("maxDataPoints", 1_000)),
        ofSites("link", "Leaks by site", ", site!=\"other\"", ""),
        ofSites(
            "columns",
            "Leaks by site",
            panel -> organize(panel).getObject("indexByName").put("site", 0)),
        ofSites(
            "columns",
            "Leaks by site",
            panel -> organize(panel).getObject("indexByName").remove("instance")));
  }

  private static Arguments ofSites(String rule, String panel, Consumer<JsonObject> change) {
    return Arguments.of(rule, panel, change);
  }

  private static Arguments ofSites(String rule, String panel, String from, String to) {
    return Arguments.of(rule, panel, (Consumer<JsonObject>) json -> changeQuery(json, from, to));
  }

  private static JsonObject organize(JsonObject panel) {
    return Dashboard.objects(panel.getArray("transformations")).stream()
        .filter(each -> "organize".equals(each.getString("id")))
        .findFirst()
        .orElseThrow()
        .getObject("options");
  }

  @ParameterizedTest(name = "{0} #{index}")
  @MethodSource("faultsOfSites")
  void aFaultOfAPanelOfSitesIsFound(String rule, String title, Consumer<JsonObject> change) {
    Dashboard broken = copy("leaks.json");
    change.accept(broken.panel(title));
    assertThat(Conventions.check(broken))
        .isNotEmpty()
        .allMatch(finding -> finding.place().equals(title) && finding.file().equals("leaks.json"))
        .extracting(Finding::rule)
        .contains(rule);
  }

  @Test
  void anAnnotationOfOtherJvmsOrOfEachOfAFleetIsFound() {
    for (String file : List.of("jvm.json", "leaks.json")) {
      Dashboard broken = copy(file);
      JsonObject annotation = broken.annotations().get(0);
      String expression = annotation.getString("expr");
      annotation.put(
          "expr",
          expression.replace(", host_id=~\"$host\"", "").replace("min by (application) ", ""));
      assertThat(Conventions.check(broken))
          .singleElement()
          .extracting(Finding::toString)
          .asString()
          .startsWith(file + ": annotations: one lacks ");
    }
  }

  @Test
  void aPanelWithoutTitleIsFound() {
    assertThat(Conventions.check(broken(panel -> panel.remove("title"))))
        .extracting(Finding::rule)
        .containsExactly("title", "identifier");
  }

  @Test
  void aPanelWithoutUnitIsFound() {
    Dashboard broken =
        broken(panel -> panel.getObject("fieldConfig").getObject("defaults").remove("unit"));
    assertThat(Conventions.check(broken))
        .singleElement()
        .extracting(Finding::toString)
        .asString()
        .startsWith("overview.json: Reserved by application: unit: '' is none of ");
  }

  static Stream<Arguments> faultsOfAPanel() {
    return Stream.of(
        fault("description", PANEL, panel -> panel.put("description", " ")),
        fault("description", PANEL, panel -> panel.remove("description")),
        fault("unit", PANEL, panel -> defaults(panel).put("unit", "octets")),
        fault("identifier", PANEL, panel -> panel.put("id", 1)),
        fault("place", PANEL, panel -> panel.getObject("gridPos").put("x", 20)),
        fault("place", PANEL, panel -> panel.getObject("gridPos").put("h", 9)),
        fault("data-source", PANEL, panel -> panel.getObject("datasource").put("uid", "mine")),
        fault("matchers", PANEL, panel -> changeQuery(panel, "job=~\"$job\", ", "")),
        fault("matchers", PANEL, panel -> changeQuery(panel, "instance=~\"$instance\"", "")),
        fault("rate-interval", PANEL, panel -> changeQuery(panel, "})", "}[5m])")),
        fault(
            "legend", PANEL, panel -> changeQuery(panel, "sum by (application)", "sum by (pool)")),
        fault("query", PANEL, panel -> panel.getArray("targets").clear()));
  }

  private static Arguments fault(String rule, String place, Consumer<JsonObject> change) {
    return Arguments.of(rule, place, change);
  }

  @ParameterizedTest(name = "{0} #{index}")
  @MethodSource("faultsOfAPanel")
  void aFaultOfAPanelIsFound(String rule, String place, Consumer<JsonObject> change) {
    List<Finding> findings = Conventions.check(broken(change));
    assertThat(findings).isNotEmpty();
    assertThat(findings.get(0).file()).isEqualTo("overview.json");
    assertThat(findings).extracting(Finding::rule).containsOnly(rule);
    // If two panels overlap, the finding names the second one.
    if (!rule.equals("place")) {
      assertThat(findings).hasSize(1).extracting(Finding::place).containsExactly(place);
    }
  }

  static Stream<Arguments> faultsOfTheFrame() {
    return Stream.of(
        frame("editable", json -> json.put("editable", true)),
        frame("uid", json -> json.put("uid", "abc")),
        frame("id", json -> json.put("id", 7)),
        frame("title", json -> json.remove("title")),
        frame("description", json -> json.put("description", "")),
        frame("variables", json -> json.getObject("templating").getArray("list").remove(2)),
        frame("allValue", json -> variable(json, 1).put("allValue", ".*")),
        frame("multi", json -> variable(json, 2).put("multi", false)),
        frame("label", json -> variable(json, 0).put("label", "Source")),
        frame(
            "metric-exists",
            json ->
                variable(json, 1)
                    .getObject("query")
                    .put("query", "label_values(cistern_upp, job)")),
        frame("annotations", json -> json.getObject("annotations").getArray("list").clear()),
        frame("links", json -> json.getArray("links").clear()));
  }

  private static Arguments frame(String rule, Consumer<JsonObject> change) {
    return Arguments.of(rule, change);
  }

  @ParameterizedTest(name = "{0} #{index}")
  @MethodSource("faultsOfTheFrame")
  void aFaultOfTheFrameIsFound(String rule, Consumer<JsonObject> change) {
    Dashboard broken = copy("overview.json");
    change.accept(broken.json());
    assertThat(Conventions.check(broken)).extracting(Finding::rule).containsExactly(rule);
  }

  @Test
  void aLinkToAColumnThatIsNotThereIsFound() {
    Dashboard broken = copy("leaks.json");
    changeQuery(
        broken.panel("JVMs with suspects"),
        "sum by (application, host_id, instance,",
        "sum by (application, host_id,");
    assertThat(Conventions.check(broken))
        .isNotEmpty()
        .allMatch(finding -> finding.place().equals("JVMs with suspects"))
        .allMatch(finding -> finding.problem().contains("instance"))
        .anyMatch(
            finding ->
                finding.rule().equals("link")
                    && finding.problem().startsWith("no column instance for http://"));
  }

  @Test
  void anOverrideOfAColumnThatIsNotThereIsFound() {
    Dashboard broken = copy("overview.json");
    JsonObject panel = broken.panel("Top JVMs");
    panel
        .getObject("fieldConfig")
        .getArray("overrides")
        .getObject(0)
        .getObject("matcher")
        .put("options", "Resrved");
    assertThat(Conventions.check(broken))
        .extracting(Finding::toString)
        .containsExactly("overview.json: Top JVMs: override: there is no field 'Resrved'");
  }

  @Test
  void aSecondPanelWithTheSameIdentifierIsFound() {
    Dashboard broken = copy("overview.json");
    JsonObject row =
        broken.json().getArray("panels").stream()
            .map(JsonObject.class::cast)
            .filter(panel -> "row".equals(panel.getString("type")))
            .findFirst()
            .orElseThrow();
    int taken = broken.panel("Pinned").getInt("id");
    row.put("id", taken);
    assertThat(Conventions.check(broken))
        .extracting(Finding::toString)
        .containsExactly("overview.json: Memory: identifier: " + taken + " is taken");
  }

  @Test
  void aFigureWithoutAnInstantQueryIsFound() {
    Dashboard broken = copy("overview.json");
    broken.panel("Cached").getArray("targets").getObject(0).put("instant", false);
    assertThat(Conventions.check(broken))
        .extracting(Finding::toString)
        .containsExactly("overview.json: Cached: instant: query A is none");
  }

  @Test
  void aQueryOfOneJvmWithoutItsMatcherIsFound() {
    Dashboard broken = copy("jvm.json");
    changeQuery(broken.panel("Pinned"), ", host_id=~\"$host\"", "");
    assertThat(Conventions.check(broken))
        .singleElement()
        .extracting(Finding::toString)
        .asString()
        .startsWith("jvm.json: Pinned: matchers: cistern_pinned_bytes{");
  }

  private static Dashboard broken(Consumer<JsonObject> change) {
    Dashboard copy = copy("overview.json");
    change.accept(copy.panel(PANEL));
    return copy;
  }

  private static Dashboard copy(String file) {
    return Dashboard.parse(file, JsonWriter.string(Dashboard.named(file).json()));
  }

  private static JsonObject defaults(JsonObject panel) {
    return panel.getObject("fieldConfig").getObject("defaults");
  }

  private static JsonObject variable(JsonObject json, int index) {
    return json.getObject("templating").getArray("list").getObject(index);
  }

  private static void changeQuery(JsonObject panel, String from, String to) {
    JsonObject target = panel.getArray("targets").getObject(0);
    String expression = target.getString("expr");
    assertThat(expression).contains(from);
    target.put("expr", expression.replace(from, to));
  }
}
