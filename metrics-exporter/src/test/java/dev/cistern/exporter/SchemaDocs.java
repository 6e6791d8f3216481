/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.grack.nanojson.JsonStringWriter;
import com.grack.nanojson.JsonWriter;
import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.Histogram;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.exporter.schema.Unit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Documents that are generated from the declarations of the metrics: the catalogue, and tables of
 * the docs.
 */
final class SchemaDocs {
  private static final String HEAD =
      "| metric | type | unit | labels | detail | meaning |\n|---|---|---|---|---|---|\n";

  private SchemaDocs() {}

  /** A metric from a gauge, a counter or a histogram. */
  private record Entry(
      String name, String type, String unit, List<String> labels, String detail, String help) {
    static Stream<Entry> of(Scope<?> scope) {
      return Stream.concat(
          scope.figures().stream().map(Entry::of),
          scope.histograms().stream().map(histogram -> of(scope, histogram)));
    }

    private static Entry of(Figure<?> figure) {
      return new Entry(
          figure.name(),
          figure.type().label(),
          figure.unit().label(),
          own(Schema.labels(figure, true)),
          figure.detail().label(),
          figure.help());
    }

    private static Entry of(Scope<?> scope, Histogram<?> histogram) {
      return new Entry(
          histogram.name(),
          "histogram",
          histogram.unit() == Unit.COUNT ? "" : histogram.unit().label(),
          own(Schema.labels(scope, true)),
          histogram.detail().label(),
          histogram.help());
    }

    /** Returns the labels without those of the process, which all of its series have. */
    private static List<String> own(List<String> labels) {
      return labels.contains("host_id") ? labels.subList(2, labels.size()) : labels;
    }

    String row() {
      String names =
          labels.stream().map(label -> "`" + label + "`").collect(Collectors.joining(" "));
      return "| `" + name + "` | " + type + " | " + unit + " | " + names + " | " + detail + " | "
          + help + " |\n";
    }
  }

  /** Returns all metrics for dashboards, tests and tooltips. */
  static String catalogue() {
    JsonStringWriter json = JsonWriter.indent("  ").string().object();
    for (Scope<?> scope : Schema.scopes()) {
      boolean isOfExporter = scope.toString().startsWith(ExporterFigures.EXPORTER.key());
      Entry.of(scope)
          .forEach(
              entry ->
                  json.object(entry.name)
                      .value("type", entry.type)
                      .value("unit", entry.unit)
                      .value("of", isOfExporter ? "exporter" : "process")
                      .array("labels", entry.labels)
                      .value("detail", entry.detail)
                      .value("help", entry.help)
                      .end());
    }
    return json.end().done() + "\n";
  }

  /**
   * Returns a document with its tables generated again. Each table is between a line that names
   * scopes, such as {@code <!-- metrics of hosts.copies -->}, and {@code <!-- end -->}.
   */
  static String withTables(String document) {
    StringBuilder text = new StringBuilder();
    boolean isTable = false;
    for (String line : document.split("\n", -1)) {
      isTable &= !line.equals("<!-- end -->");
      if (!isTable) {
        text.append(line).append('\n');
      }
      if (line.equals("<!-- numbers of series -->")) {
        isTable = true;
        text.append('\n').append(SeriesNumbers.table()).append('\n');
      }
      if (line.startsWith("<!-- metrics of ")) {
        isTable = true;
        text.append('\n').append(HEAD);
        List<String> scopes =
            List.of(line.replace("<!-- metrics of ", "").replace(" -->", "").split(" ", -1));
        scopes.forEach(name -> Entry.of(scope(name)).forEach(entry -> text.append(entry.row())));
        text.append('\n');
      }
    }
    return text.substring(0, text.length() - 1);
  }

  private static Scope<?> scope(String name) {
    return Schema.scopes().stream()
        .filter(scope -> scope.toString().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scope: " + name));
  }
}
