/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.report.Schema;
import dev.cistern.exporter.schema.Figure;
import dev.cistern.exporter.schema.SchemaProto;
import dev.cistern.exporter.schema.Scope;
import dev.cistern.testing.Generated;
import dev.cistern.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Catalogue and documentation match the declarations of the metrics. */
class SchemaDocsTest {
  private static final String GENERATED = "// Generated from the declarations of the figures:";

  @Test
  void theCatalogueListsAllMetrics() {
    Generated.check(Repository.path("dashboards/metrics.json"), SchemaDocs.catalogue());
  }

  @Test
  void theTablesListAllMetrics() throws IOException {
    Path path = Repository.path("docs/metrics.md");
    Generated.check(path, SchemaDocs.withTables(Files.readString(path)));
    String document = Files.readString(path);
    for (Scope<?> scope : Schema.scopes()) {
      for (Figure<?> figure : scope.figures()) {
        assertThat(document).contains("| `" + figure.name() + "` |");
      }
    }
  }

  @Test
  void theMessagesOfTheStatsFileFollowTheFigures() throws IOException {
    Path path = Repository.path("docs/internals/stats-file.proto");
    String document = Files.readString(path);
    int begin = document.indexOf('\n', document.indexOf(GENERATED)) + 1;
    int end = document.indexOf("// end of the generated messages");
    Generated.check(
        path,
        document.substring(0, begin) + SchemaProto.of(Schema.host()) + document.substring(end));
  }

  @Test
  void namesAndNumbersAreUnique() {
    Set<String> names = new HashSet<>();
    for (Scope<?> scope : Schema.scopes()) {
      Set<Integer> numbers = new HashSet<>();
      for (Figure<?> figure : scope.figures()) {
        assertThat(names.add(figure.name())).as(figure.name()).isTrue();
        assertThat(numbers.add(figure.number())).as(figure.name()).isTrue();
        assertThat(figure.number()).as(figure.name()).isBetween(1, 899);
      }
      scope.histograms().forEach(h -> assertThat(names.add(h.name())).as(h.name()).isTrue());
    }
  }
}
