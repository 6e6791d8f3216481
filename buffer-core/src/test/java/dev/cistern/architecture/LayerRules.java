/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The house rules of docs/internals/architecture.md. Each takes the root package, so that they can be tried
 * on fixtures that break them.
 */
final class LayerRules {
  private static final Map<String, Integer> FLOOR_BY_PACKAGE =
      Map.of(
          "io", 5, "buffer", 4, "pool", 3, "leak", 2, "stats", 2, "memory", 1, "util", 0, "trace",
          -1);

  private final String root;

  LayerRules(String root) {
    this.root = root;
  }

  /** Every class stands on a floor, and uses only its own package and floors below. */
  ArchRule useOnlyFloorsBelow() {
    return classes().that().resideInAPackage(root + "..").should(useOnlyLowerFloors());
  }

  /** Raw memory is touched in one place, so that one place can be audited. */
  ArchRule touchRawMemoryOnlyInMemory() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .and()
        .resideOutsideOfPackage(root + ".memory..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("sun.misc", "jdk.internal..");
  }

  private ArchCondition<JavaClass> useOnlyLowerFloors() {
    return new ArchCondition<>("stand on a floor and use only floors below") {
      @Override
      public void check(JavaClass origin, ConditionEvents events) {
        if (floorOf(origin).isEmpty()) {
          events.add(
              SimpleConditionEvent.violated(origin, origin.getName() + " stands on no floor"));
          return;
        }
        for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (!isAllowed(origin, target)) {
            events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
          }
        }
      }
    };
  }

  private boolean isAllowed(JavaClass origin, JavaClass target) {
    if (!isInHouse(target) || room(target).equals(room(origin))) {
      return true;
    }
    OptionalInt targetFloor = floorOf(target);
    return targetFloor.isPresent() && targetFloor.getAsInt() < floorOf(origin).orElseThrow();
  }

  private OptionalInt floorOf(JavaClass javaClass) {
    Integer floor = FLOOR_BY_PACKAGE.get(room(javaClass));
    return floor == null ? OptionalInt.empty() : OptionalInt.of(floor);
  }

  private boolean isInHouse(JavaClass javaClass) {
    return (javaClass.getPackageName() + ".").startsWith(root + ".");
  }

  /**
   * The first package name below the root: "pool" for a class of dev.cistern.pool or any package
   * below it.
   */
  private String room(JavaClass javaClass) {
    String below = (javaClass.getPackageName() + ".").substring(root.length() + 1);
    return below.isEmpty() ? "" : below.substring(0, below.indexOf('.'));
  }
}
