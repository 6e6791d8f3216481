/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The maintenance thread may remove the owner of a group at any time, also between a write and a
 * read by the thread that takes the group. That thread would then offer its private cache to other
 * threads as a shared one. The jcstress case {@code OwnerRemovedDuringTake} sees that once in a
 * million times, and in interpreted code only, so this test reads the code.
 */
class SlotGroupOwnerTest {
  private static Set<JavaCodeUnit> codeThat(AccessType accesses, JavaClasses engine) {
    return engine.get(SlotLists.class).getField("owner").getAccessesToSelf().stream()
        .filter(access -> access.getAccessType() == accesses)
        .map(JavaAccess::getOrigin)
        .collect(Collectors.toSet());
  }

  @Test
  void codeThatWritesTheOwnerOfAGroupDoesNotReadItBack() {
    JavaClasses engine =
        new ClassFileImporter()
            .importClasses(
                SlotLists.class, RemoteSlots.class, SlotGroup.class, Bin.class, Orphans.class);
    Set<JavaCodeUnit> writes = codeThat(AccessType.SET, engine);
    assertThat(writes).extracting(JavaCodeUnit::getName).contains("becomeOwned", "disown");
    Set<JavaCodeUnit> reads = codeThat(AccessType.GET, engine);
    assertThat(reads).extracting(JavaCodeUnit::getName).contains("release");
    assertThat(writes).doesNotContainAnyElementsOf(reads);
  }
}
