/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Tests that the code follows the layers of docs/internals/architecture.md, and that each rule
 * finds a violation.
 */
class LayeringTest {
  private static final String ROOT = "dev.cistern";
  private static final String FIXTURE = "dev.cistern.architecture.fixture";

  @Test
  void everyClassUsesOnlyLowerLayers() {
    new LayerRules(ROOT).useOnlyLowerLayers().check(library());
  }

  @Test
  void rawMemoryIsTouchedOnlyInMemory() {
    new LayerRules(ROOT).touchRawMemoryOnlyInMemory().check(library());
  }

  @Test
  void aDependencyOnALowerLayerIsAllowed() {
    new LayerRules(FIXTURE + ".sound").useOnlyLowerLayers().check(fixture("sound"));
    new LayerRules(FIXTURE + ".sound").touchRawMemoryOnlyInMemory().check(fixture("sound"));
  }

  @Test
  void aDependencyOnAHigherLayerIsFound() {
    assertViolation("upward", "upward.util.UsesAHigherLayer", "upward.pool.Above");
  }

  @Test
  void aDependencyOnTheSameLayerIsFound() {
    assertViolation("sideways", "sideways.leak.UsesItsNeighbour", "sideways.stats.Neighbour");
  }

  @Test
  void aPackageOfNoLayerIsFound() {
    assertViolation("unlayered", "unlayered.extra.Unlayered", "belongs to no layer");
  }

  @Test
  void rawMemoryElsewhereIsFound() {
    assertThatThrownBy(
            () ->
                new LayerRules(FIXTURE + ".raw").touchRawMemoryOnlyInMemory().check(fixture("raw")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("raw.pool.TouchesRawMemory")
        .hasMessageContaining("sun.misc.Unsafe")
        .hasMessageNotContaining("raw.memory.MayTouchRawMemory");
  }

  private static void assertViolation(String fixture, String... messageParts) {
    assertThatThrownBy(
            () ->
                new LayerRules(FIXTURE + "." + fixture)
                    .useOnlyLowerLayers()
                    .check(fixture(fixture)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(messageParts);
  }

  private static JavaClasses library() {
    JavaClasses library =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/dev/cistern/testing/"))
            .importPackages(ROOT);
    assertThat(library).as("imported classes").isNotEmpty();
    return library;
  }

  private static JavaClasses fixture(String name) {
    return new ClassFileImporter().importPackages(FIXTURE + "." + name);
  }
}
