/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests of the reasons that fail a test class under {@code -Pleak}. */
@LeaksOnPurpose
@Tag("E8")
class LeakCheckTest {
  private Level levelBefore;
  private LeakCheck check;

  @BeforeEach
  void watchAll() {
    levelBefore = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(Level.PARANOID);
    check = new LeakCheck();
  }

  @AfterEach
  void restore() {
    ResourceLeakDetector.setLevel(levelBefore);
  }

  /** Simulates the end of a test class. */
  private void end(Class<?> tests) throws InterruptedException {
    check.afterAll(
        (ExtensionContext)
            Proxy.newProxyInstance(
                LeakCheckTest.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, arguments) ->
                    method.getName().equals("getRequiredTestClass") ? tests : Optional.empty()));
  }

  private static void leak() {
    TestAllocators.UNPOOLED.directBuffer(100);
  }

  @Test
  void testsThatReleaseTheirBuffersPass() {
    TestAllocators.UNPOOLED.directBuffer(100).release();
    assertThatCode(() -> end(NoFalseLeaksTest.class)).doesNotThrowAnyException();
  }

  @Test
  void testsThatLeakFailAndTheThreadIsNamed() throws InterruptedException {
    Thread thread = new Thread(LeakCheckTest::leak, "some test");
    thread.start();
    thread.join();
    assertThatThrownBy(() -> end(NoFalseLeaksTest.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("NoFalseLeaksTest")
        .hasMessageContaining("1, the last of thread \"some test\"");
    assertThatCode(() -> end(NoFalseLeaksTest.class)).as("once").doesNotThrowAnyException();
  }

  @Test
  void testsThatLeakOnPurposePass() {
    leak();
    assertThatCode(() -> end(LeakCheckTest.class)).doesNotThrowAnyException();
  }

  @Test
  void markedTestsThatLeakNothingFail() {
    assertThatThrownBy(() -> end(LeakCheckTest.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("leaks nothing");
  }
}
