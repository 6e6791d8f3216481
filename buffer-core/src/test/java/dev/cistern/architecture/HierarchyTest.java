/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.cistern.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The class hierarchy of buffers (docs/internals/decisions/0043). */
class HierarchyTest {
  private static final int MAX_LEVELS = 6;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.cistern");

  /**
   * A method with a body must be forwarded by wrappers, or call other methods, which they forward.
   */
  @Test
  void eachMethodWithABodyReachesTheWrappers() {
    JavaClass buffer = CLASSES.get(ByteBuf.class);
    Set<String> forwarded = new HashSet<>();
    CLASSES
        .get("dev.cistern.buffer.ForwardingByteBuf")
        .getMethods()
        .forEach(method -> forwarded.add(signature(method)));
    List<String> lost = new ArrayList<>();
    for (JavaMethod method : buffer.getMethods()) {
      boolean isVirtual =
          !method.getModifiers().contains(JavaModifier.ABSTRACT)
              && !method.getModifiers().contains(JavaModifier.STATIC);
      boolean callsOthers =
          method.getMethodCallsFromSelf().stream()
              .anyMatch(call -> call.getTargetOwner().equals(buffer));
      if (isVirtual && !callsOthers && !forwarded.contains(signature(method))) {
        lost.add(signature(method));
      }
    }
    assertThat(lost).containsExactly("asByteBuf[]"); // returns this, which is the wrapper
  }

  private static String signature(JavaMethod method) {
    return method.getName()
        + method.getRawParameterTypes().stream().map(JavaClass::getSimpleName).toList();
  }

  @Test
  void noBufferHasMoreThanSixLevels() {
    Map<String, Integer> levels = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      if (type.isAssignableTo(ByteBuf.class)
          && !type.getModifiers().contains(JavaModifier.ABSTRACT)) {
        levels.put(
            type.getName(), type.getAllRawSuperclasses().size()); // with Object, without itself
      }
    }
    assertThat(levels).hasSizeGreaterThan(8).containsKey("dev.cistern.buffer.PooledByteBuf");
    assertThat(levels.values()).as(levels.toString()).allMatch(depth -> depth <= MAX_LEVELS);
  }
}
