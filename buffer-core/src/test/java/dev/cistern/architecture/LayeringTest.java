/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The floors of docs/internals/architecture.md hold, and the rules that say so can fail. */
class LayeringTest {
  private static final String HOUSE = "dev.cistern";
  private static final String FIXTURE = "dev.cistern.architecture.fixture";

  @Test
  void everyClassUsesOnlyFloorsBelow() {
    new LayerRules(HOUSE).useOnlyFloorsBelow().check(house());
  }

  @Test
  void rawMemoryIsTouchedOnlyInMemory() {
    new LayerRules(HOUSE).touchRawMemoryOnlyInMemory().check(house());
  }

  @Test
  void aDependencyOnAFloorBelowIsAllowed() {
    new LayerRules(FIXTURE + ".sound").useOnlyFloorsBelow().check(fixture("sound"));
    new LayerRules(FIXTURE + ".sound").touchRawMemoryOnlyInMemory().check(fixture("sound"));
  }

  @Test
  void aDependencyOnAFloorAboveIsFound() {
    assertFloorsBroken("upward", "upward.util.UsesTheFloorAbove", "upward.pool.Above");
  }

  @Test
  void aDependencyOnTheSameFloorIsFound() {
    assertFloorsBroken("sideways", "sideways.leak.UsesItsNeighbour", "sideways.stats.Neighbour");
  }

  @Test
  void aPackageOnNoFloorIsFound() {
    assertFloorsBroken("homeless", "homeless.attic.Homeless", "stands on no floor");
  }

  @Test
  void rawMemoryElsewhereIsFound() {
    assertThatThrownBy(
            () -> new LayerRules(FIXTURE + ".raw").touchRawMemoryOnlyInMemory().check(fixture("raw")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("raw.pool.TouchesRawMemory")
        .hasMessageContaining("sun.misc.Unsafe")
        .hasMessageNotContaining("raw.memory.MayTouchRawMemory");
  }

  private static void assertFloorsBroken(String fixture, String... messageParts) {
    assertThatThrownBy(
            () -> new LayerRules(FIXTURE + "." + fixture).useOnlyFloorsBelow().check(fixture(fixture)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(messageParts);
  }

  private static JavaClasses house() {
    JavaClasses house =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/dev/cistern/testing/"))
            .importPackages(HOUSE);
    assertThat(house).as("imported classes").isNotEmpty();
    return house;
  }

  private static JavaClasses fixture(String name) {
    return new ClassFileImporter().importPackages(FIXTURE + "." + name);
  }
}
