/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Annotation of a test whose assertions hold for unwatched buffers only: the leak detector is off
 * during the test.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Unwatched.Detector.class)
public @interface Unwatched {
  /** Returns the reason. */
  String value();

  /** Extension that turns the detector off, and restores its level. */
  final class Detector
      implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(Detector.class);

    @Override
    public void beforeAll(ExtensionContext context) {
      turnOff(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
      turnOff(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
      restore(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
      restore(context);
    }

    private static void turnOff(ExtensionContext context) {
      context.getStore(NAMESPACE).put(context.getUniqueId(), ResourceLeakDetector.getLevel());
      ResourceLeakDetector.setLevel(Level.DISABLED);
    }

    private static void restore(ExtensionContext context) {
      ResourceLeakDetector.setLevel(
          context.getStore(NAMESPACE).get(context.getUniqueId(), Level.class));
    }
  }
}
