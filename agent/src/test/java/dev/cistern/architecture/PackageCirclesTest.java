/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packages of the agent and of the exporter have no cyclic dependencies. */
class PackageCirclesTest {
  private static final String ROOT = "dev.cistern.";

  private static EvaluationResult circles(ClassFileImporter importer, String... packages) {
    var classes = importer.importPackages(packages);
    assertThat(classes).isNotEmpty();
    return slices().matching(ROOT + "(**)").should().beFreeOfCycles().evaluate(classes);
  }

  private static List<String> circlesOfMain(String... packages) {
    ClassFileImporter importer =
        new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS);
    return circles(importer, packages).getFailureReport().getDetails();
  }

  @Test
  void noPackagesOfTheAgentFormACircle() {
    assertThat(circlesOfMain(ROOT + "agent", ROOT + "bridge")).isEmpty();
  }

  @Test
  void noPackagesOfTheExporterFormACircle() {
    assertThat(circlesOfMain(ROOT + "exporter")).isEmpty();
  }

  @Test
  void aCircleIsFound() {
    EvaluationResult result = circles(new ClassFileImporter(), ROOT + "architecture.fixture");
    assertThat(result.getFailureReport().getDetails())
        .singleElement()
        .asString()
        .contains("Cycle detected", "fixture.one.First", "fixture.two.Second");
  }
}
