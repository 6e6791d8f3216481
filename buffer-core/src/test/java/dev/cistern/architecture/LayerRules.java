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
 * The layer rules of docs/internals/architecture.md. Each rule takes the root package, so that
 * tests can apply it to fixtures that break it.
 */
final class LayerRules {
  private static final Map<String, Integer> LAYER_BY_PACKAGE =
      Map.of(
          "io", 5, "buffer", 4, "pool", 3, "leak", 2, "stats", 2, "memory", 1, "util", 0, "trace",
          -1);

  private final String root;

  LayerRules(String root) {
    this.root = root;
  }

  /** Every class belongs to a layer, and uses only its own package and lower layers. */
  ArchRule useOnlyLowerLayers() {
    return classes().that().resideInAPackage(root + "..").should(lowerLayersCondition());
  }

  /** Only the memory package accesses raw memory, so that an audit covers a single package. */
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

  private ArchCondition<JavaClass> lowerLayersCondition() {
    return new ArchCondition<>("belong to a layer and use only lower layers") {
      @Override
      public void check(JavaClass origin, ConditionEvents events) {
        if (layerOf(origin).isEmpty()) {
          events.add(
              SimpleConditionEvent.violated(origin, origin.getName() + " belongs to no layer"));
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
    if (!isInRoot(target) || topPackage(target).equals(topPackage(origin))) {
      return true;
    }
    OptionalInt targetLayer = layerOf(target);
    return targetLayer.isPresent() && targetLayer.getAsInt() < layerOf(origin).orElseThrow();
  }

  private OptionalInt layerOf(JavaClass javaClass) {
    Integer layer = LAYER_BY_PACKAGE.get(topPackage(javaClass));
    return layer == null ? OptionalInt.empty() : OptionalInt.of(layer);
  }

  private boolean isInRoot(JavaClass javaClass) {
    return (javaClass.getPackageName() + ".").startsWith(root + ".");
  }

  /**
   * Returns the first package name below the root: "pool" for a class of dev.cistern.pool or any
   * package below it.
   */
  private String topPackage(JavaClass javaClass) {
    String below = (javaClass.getPackageName() + ".").substring(root.length() + 1);
    return below.isEmpty() ? "" : below.substring(0, below.indexOf('.'));
  }
}
