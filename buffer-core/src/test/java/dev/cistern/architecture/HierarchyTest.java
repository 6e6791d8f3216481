/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.cistern.buffer.ByteBuf;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The depth of the class hierarchy of buffers (docs/decisions/0043). */
class HierarchyTest {
  private static final int MAX_LEVELS = 6;

  @Test
  void noBufferHasMoreThanSixLevels() {
    Map<String, Integer> levels = new TreeMap<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.cistern")) {
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
